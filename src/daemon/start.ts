import type { RunAllowance } from '../episode/policy.js';
import { WorldError } from '../errors.js';
import { listen as listenHttp } from '../http/server.js';
import type { BindAddress } from './bind.js';
import { controlFilePath } from './control-client.js';
import type { DaemonStatus } from './control-protocol.js';
import { listenForControl } from './control-server.js';
import { prepareSocketPath } from './control-socket.js';
import { type OpenWorld, openWorld, type WorldOptions } from './open-world.js';
import { handleOperatorRequest } from './operator-requests.js';
import { resolveBearer } from './sessions.js';
import { stopInOrder } from './stop.js';
import { packageVersion } from './version.js';

export interface StartOptions extends WorldOptions {
  readonly bind: BindAddress;
}

export interface RunningDaemon {
  /** `http://127.0.0.1:7644`, without a slash at the end. */
  readonly url: string;
  readonly world: OpenWorld;
  /** Lets calls in flight end, at most 10 s; `drained` says whether all did. */
  stop(): Promise<{ readonly drained: boolean }>;
}

/** Opens the world and serves it. Errors as `openWorld` and `listen`. */
export async function startDaemon(options: StartOptions): Promise<RunningDaemon> {
  const world = await openWorld(options);
  try {
    await world.recordProgram();
    return await listen(world, options);
  } catch (error) {
    await world.close();
    throw error;
  }
}

/**
 * Serves an open world: HTTP for agents, the control socket for the operator. When it fails the world stays open.
 * @throws WorldError `listen-failed`, `control-directory`, `control-listen`, `net-allow-own`
 */
export async function listen(world: OpenWorld, options: StartOptions): Promise<RunningDaemon> {
  const { repository, log, invoker, toolchain, desk, now, random } = world;
  const http = await listenHttp(
    {
      log,
      invoker,
      toolchain: toolchain.identity,
      repository: repository.commonDir,
      version: packageVersion(),
      now,
      random,
      resolveSession: (authorization) => resolveBearer(authorization, log.state, Math.floor(now() / 1000)),
      report: options.report,
    },
    options.bind,
  );
  const ownPort = new URL(http.url).port;
  const status = (): DaemonStatus => ({
    pid: process.pid,
    url: http.url,
    repository: repository.commonDir,
    headIndex: log.head.index,
    headEntry: log.head.entryHash,
  });
  try {
    refuseOwnPort(options.allowance, ownPort);
    const control = await listenForControl({
      socket: await prepareSocketPath(repository.commonDir, options.env),
      controlFile: controlFilePath(repository.commonDir),
      url: http.url,
      handle: (request) => handleOperatorRequest(request, { desk, flush: () => log.flush(), status }),
      report: options.report,
    });
    return { url: http.url, world, stop: () => stopInOrder({ http, control, world }) };
  } catch (error) {
    await http.close(0);
    throw error;
  }
}

/** A confined program must never be a client of the world it runs in. */
function refuseOwnPort({ net }: RunAllowance, port: string): void {
  const own = net.find((entry) => entry.endsWith(`:${port}`));
  if (own === undefined) return;
  throw new WorldError('net-allow-own', `--run-net-allow ${own} is the port this daemon listens on`, {
    hint: 'name the port of the service that runs shall reach, or take another --port',
  });
}
