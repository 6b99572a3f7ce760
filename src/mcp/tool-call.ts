import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { SurfaceContext } from '../daemon/types.js';
import type { HttpLimits } from '../http/limits.js';
import { describeCause } from '../http/operator-cause.js';
import { InvocationFailure } from '../invocation/failure.js';
import type { Completed } from '../invocation/types.js';
import { comesWithin } from './arrival-order.js';
import type { Exchange } from './exchange.js';
import { answerTo, hostFailure, unknownTool } from './failures.js';
import { ENTRY_KEY } from './message.js';

/** Serves tools/call: waits for the session's turn, hands the call to the invoker, wraps the committed output. */
export class ToolCalls {
  readonly #context: SurfaceContext;
  readonly #limits: HttpLimits;
  #inFlight = 0;

  constructor(context: SurfaceContext, limits: HttpLimits) {
    this.#context = context;
    this.#limits = limits;
  }

  /** @throws RpcError */
  async call(tool: string, exchange: Exchange): Promise<CallToolResult> {
    if (this.#inFlight >= this.#limits.callsInFlight) throw hostFailure('host callback capacity exceeded');
    this.#inFlight += 1;
    try {
      const untilStart = exchange.arrivedAt + this.#limits.startMs - this.#context.now();
      if (!(await comesWithin(exchange.turn, Math.max(0, untilStart)))) {
        throw hostFailure('host callback timed out', { reason: 'not-started' });
      }
      // Grants are looked at when the call starts: having listed a tool once confers nothing.
      const visible = this.#context.invoker.visibleTools(exchange.session);
      if (!visible.some(({ id }) => id === tool)) throw unknownTool(tool);
      return wrap(await this.#invoke(tool, exchange), exchange);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #invoke(tool: string, exchange: Exchange): Promise<Completed> {
    const taskId = exchange.idempotencyKey ?? this.#context.random(32).toString('hex');
    const { session, args } = exchange;
    try {
      const started = this.#context.invoker.invoke({ surface: 'mcp', session, taskId, tool, args });
      if (exchange.leavesOnStart) exchange.turn.leave();
      return await started;
    } catch (failure) {
      const id = failure instanceof InvocationFailure ? failure.invocationId : `mcp:${session.episode}:${taskId}`;
      const cause = JSON.stringify(describeCause(failure));
      this.#context.report(`ailang-worldd: mcp refusal: tools/call ${id}: ${cause}`);
      throw answerTo(failure, tool);
    }
  }
}

function wrap(completed: Completed, exchange: Exchange): CallToolResult {
  exchange.outputBytes = completed.outputBytes;
  const { index, entryHash } = completed.entry;
  return {
    content: [{ type: 'text', text: completed.outputBytes.toString('utf8') }],
    structuredContent: { ...completed.output },
    _meta: { [ENTRY_KEY]: { index, entryHash, invocationId: completed.invocationId } },
  };
}
