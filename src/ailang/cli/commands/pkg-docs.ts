import { only, parseArguments } from './arguments.js';
import { type Command, failed, printed } from './context.js';

const part = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/**
 * `pkg-docs <vendor/name>`: the AGENT.md of a package's newest version in the package cache (ailang-cli section 9).
 * Only what is in the cache is shown; this toolchain never asks a registry.
 */
export const pkgDocsCommand: Command = (args, { packages }) => {
  const { positionals } = parseArguments(args, {});
  const name = only(positionals, 'package');
  const parts = name.split('/');
  if (parts.length !== 2 || !parts.every((one) => part.test(one) && !one.includes('..')))
    return failed(`invalid package name: ${JSON.stringify(name)} (must be vendor/name)`);
  const newest = packages?.versions(name).at(-1);
  if (newest === undefined)
    return failed(
      `package ${name} not found in the package cache\n  Hint: this toolchain reads packages from a cache that the operator fills (AILANG_PACKAGE_ROOT) and never fetches them`,
    );
  const text = packages?.read(`${name}/${newest}/AGENT.md`) ?? null;
  if (text === null)
    return failed(
      `package ${name} ${newest} has no AGENT.md\n  Hint: see its modules with iface, as in iface pkg/${name}/<module>`,
    );
  return printed(text.endsWith('\n') ? text : `${text}\n`);
};
