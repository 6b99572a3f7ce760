import type { JsonObject } from '../../log/types.js';

/** The repository the demo plays in. */
export const DEMO_FILES = {
  'hello.ail': `module hello

import std/io (println)

export func main() -> () ! {IO} {
  println("hello from the repository")
}
`,
};

export interface Step {
  readonly title: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** What must be true of the output for the demo to count as played. */
  holds(output: JsonObject): boolean;
  /** One line about the result. */
  show(output: JsonObject): string;
}

/** What the scripted agent does with the session that `up` minted. */
export const STEPS: readonly Step[] = [
  {
    title: 'reads a file',
    tool: 'ailang-read',
    args: { path: 'hello.ail' },
    holds: (output) => output.ok === true && output.content === DEMO_FILES['hello.ail'],
    show: (output) => `${String(output.content).split('\n').length - 1} lines`,
  },
  {
    title: 'edits it',
    tool: 'ailang-edit',
    args: { path: 'hello.ail', old_text: 'the repository', new_text: 'ailang-run' },
    holds: (output) => output.ok === true,
    show: () => 'edited',
  },
  {
    title: 'checks it',
    tool: 'ailang-check',
    args: { path: 'hello.ail' },
    holds: (output) => output.ok === true && output.passed === true,
    show: (output) => `passed, ${output.error_count} errors`,
  },
  {
    title: 'runs it',
    tool: 'ailang-run',
    args: { path: 'hello.ail' },
    holds: (output) =>
      output.admitted === true && output.exit_code === 0 && output.stdout === 'hello from ailang-run\n',
    show: (output) => `exit ${output.exit_code}, printed ${JSON.stringify(output.stdout)}`,
  },
  {
    title: 'reaches outside the worktree (refused, committed, nothing spent)',
    tool: 'ailang-read',
    args: { path: '../outside.txt' },
    holds: (output) => output.ok === false && effectsOf(output).length === 0,
    show: (output) => String(output.refused),
  },
];

/** What it tries with a second session whose write budget is 0. */
export const DENIED_STEP: Step = {
  title: 'writes without budget (denied, committed, nothing ran)',
  tool: 'ailang-write',
  args: { path: 'notes.txt', content: 'not allowed\n' },
  holds: (output) => effectsOf(output)[0]?.status === 'denied',
  show: () => 'effect e1 denied',
};

function effectsOf(output: JsonObject): readonly { status?: string }[] {
  const world = output.world as { effects?: readonly { status?: string }[] } | undefined;
  return world?.effects ?? [];
}
