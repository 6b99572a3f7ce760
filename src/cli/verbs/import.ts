import { resolve } from 'node:path';
import { WorldError } from '../../errors.js';
import { openRepository } from '../../git/repository.js';
import { admissionText } from '../../sharing/admission-text.js';
import { UNSOUND } from '../../sharing/admit.js';
import { importBundle } from '../../sharing/import.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd import <file> [--repo <dir>]

Takes the log out of a bundle that export wrote, to refs/world/logs/<world id>. Its chain is proven before the ref moves,
and the ref only moves forward: a log that is shorter than, or another history than, the one here is refused.
  --repo <dir>   the repository (default: the current directory)
Exit 0 when the log is here, 3 when it does not hold, 1 when it was refused for another reason.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, { repo: { type: 'string' } });
    expectPositionals(positionals, 1, 1, '<file>');
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    try {
      const { world, admission } = await importBundle(repository, resolve(io.cwd, positionals[0] ?? ''));
      io.stdout.write(`world ${world}  ${admissionText(admission)}\n`);
      return EXIT_OK;
    } catch (error) {
      if (!(error instanceof WorldError) || !UNSOUND.has(error.code)) throw error;
      io.stderr.write(`ailang-worldd: ${error.message}\n  ${error.hint ?? ''}\n`);
      return EXIT_INTEGRITY;
    }
  },
};
