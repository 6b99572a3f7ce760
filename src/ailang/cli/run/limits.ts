/** Non-tail calls a program may nest. */
export const maxDepth = 10_000;

/** Of the thread that interprets a program: enough stack for `maxDepth` nested calls. Sizes in MB. */
export const threadLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 200 } as const;
