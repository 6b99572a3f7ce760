/** The flag by which the verbs that start a daemon let it sign what it writes. */
export const SIGN_KEY_FLAG = { 'sign-key': { type: 'string' } } as const;

/** For a verb's help. */
export const SIGN_KEY_USAGE = `  --sign-key <file>       sign every entry with this SSH key (Ed25519 or RSA, OpenSSH format, no passphrase, 0600);
                          default: git config world.signKey, which acts without a daemon use, too`;
