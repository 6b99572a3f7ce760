/** Largest size of anything compressed or unpacked, in bytes. */
export const MAX_BYTES = 100 * 1024 * 1024;
/** Most entries of one archive. */
export const MAX_ENTRIES = 10_000;

/** Why an archive or compressed text is refused. */
export class ArchiveError extends Error {}

/** Refuses names that lead out of the directory an archive is unpacked into. @throws ArchiveError */
export function checkEntryName(name: string): void {
  const parts = name.split(/[\\/]/);
  const leadsOut =
    name === '' || name.includes('\0') || parts[0] === '' || /^[A-Za-z]:/.test(name) || parts.includes('..');
  if (leadsOut) throw new ArchiveError(`the entry name ${JSON.stringify(name)} leads out of the archive`);
}

export function checkEntryCount(count: number): void {
  if (count > MAX_ENTRIES) throw new ArchiveError(`the archive has more than ${MAX_ENTRIES} entries`);
}

export function checkSize(bytes: number, what: string): void {
  if (bytes > MAX_BYTES) throw new ArchiveError(`${what} is larger than ${MAX_BYTES} bytes`);
}
