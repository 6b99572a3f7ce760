/** Constructors of std/net's `NetError`. */
export type NetErrorKind = 'Transport' | 'DisallowedHost' | 'InvalidHeader' | 'BodyTooLarge';

/**
 * A request that was refused or failed. `message` is what `httpGet` and `httpPost` fail with (`E_NET_…: …`); `kind` and
 * `subject` are the `NetError` that `httpRequest` returns.
 */
export class NetFailure extends Error {
  override readonly name = 'NetFailure';

  constructor(
    message: string,
    readonly kind: NetErrorKind = 'Transport',
    /** What the constructor holds: the reason, the host, the header's name, or the limit in bytes. */
    readonly subject: string = message,
  ) {
    super(message);
  }
}
