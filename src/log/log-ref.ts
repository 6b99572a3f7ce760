/** One commit per entry (log format section 1). */
export const logRef = 'refs/world/log';
