import type { ServerResponse } from 'node:http';
import type { Request } from 'polka';
import type { SurfaceContext } from '../daemon/types.js';
import type { BodyReader } from './body.js';
import type { HttpLimits } from './limits.js';
import type { RefusalLog } from './refusal-log.js';

export type HttpRequest = Request;

/** One line of the routes table. A handler that rejects is answered with 500 and reported. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With or without a trailing slash: both are served. */
  readonly path: string;
  readonly handle: (req: HttpRequest, res: ServerResponse) => void | Promise<void>;
}

/** What a surface gets to build its routes from. */
export interface SurfaceParts {
  readonly context: SurfaceContext;
  readonly limits: HttpLimits;
  readonly bodies: BodyReader;
  readonly refusals: RefusalLog;
}
