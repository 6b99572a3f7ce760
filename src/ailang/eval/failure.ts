/** A run-time error of the program; ends the run (ailang-language 3.6). `message` is complete, its code included. */
export class RuntimeFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RuntimeFailure';
  }
}

/** Thrown by `exit(n)`. */
export class ProgramExit extends Error {
  constructor(readonly status: number) {
    super(`exit ${status}`);
    this.name = 'ProgramExit';
  }
}

const depthHint = 'Hint: make the recursive call the last thing the function does';

export const depthFailure = (limit: number): RuntimeFailure =>
  new RuntimeFailure(
    'RT_REC_003',
    `RT_REC_003: recursion deeper than ${limit} calls\n${depthHint}, or raise --max-recursion-depth`,
  );

/** The thread's stack ended first. */
export const stackFailure = (limit: number): RuntimeFailure =>
  new RuntimeFailure(
    'RT_REC_003',
    `RT_REC_003: recursion used up the stack before the limit of ${limit} calls\n${depthHint}`,
  );

export const indexFailure = (operation: string, index: number | bigint, length: number): RuntimeFailure =>
  new RuntimeFailure('RT003', `RT003: ${operation}: index ${index} out of bounds for length ${length}`);
