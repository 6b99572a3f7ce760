import { type Command, failed } from './context.js';

/** A command whose engine this build does not have: it says so, and what to do instead. */
const missing =
  (command: string, lacks: string, instead: string): Command =>
  () =>
    failed(`ailang ${command}: the embedded toolchain has no ${lacks} yet; ${instead}`);

export const axiomsCommand = missing('axioms', 'axiom score card', 'see the language reference with ailang prompt');
export const devtoolsPromptCommand = missing('devtools-prompt', 'text on developer tools', 'use agent-prompt');
export const pkgDocsCommand = missing('pkg-docs', 'package registry', 'use iface on the module');
export const treeCommand = missing('tree', 'package manager (ailang.toml)', 'list the imports with iface');
