// `ailang-run` through MCP in a warm daemon, one call right after the other and with pauses in which children are made.
import { median, startBenchDaemon, timed } from './support/daemon.js';

const rounds = 24;
const pauseMs = 400;
const program = 'module hello\nimport std/io (println)\nexport func main() -> () ! {IO} {\n  println("hello")\n}\n';

const daemon = await startBenchDaemon();
try {
  await daemon.write('hello.ail', program);
  const run = async (): Promise<void> => {
    const { stdout } = await daemon.call('ailang-run', { path: 'hello.ail', caps: ['IO'] });
    if (stdout !== 'hello\n') throw new Error(JSON.stringify(stdout));
  };
  const read = async (): Promise<void> => {
    const { ok } = await daemon.call('ailang-read', { path: 'hello.ail' });
    if (ok !== true) throw new Error('the file was not read');
  };
  const series = async (work: () => Promise<void>, pause: number): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.push(await timed(work));
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return median(times);
  };
  await run();
  await read();
  const reads = await series(read, 0);
  const [paused, close] = [await series(run, pauseMs), await series(run, 0)];
  const line = (name: string, value: number, note: string): void =>
    console.log(`${name.padEnd(26)} ${value.toFixed(1).padStart(7)} ms  ${note}`);
  line('read', reads, 'what any call costs');
  line('run, with pauses', paused, `${(paused - reads).toFixed(1)} ms more than a read`);
  line('run, back to back', close, `${(close / paused).toFixed(2)}× one with pauses`);
} finally {
  await daemon.stop();
}
