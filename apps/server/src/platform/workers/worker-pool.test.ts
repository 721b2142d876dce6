import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** A worker that echoes its input. The inputs 'crash', 'exit', 'throw' and 'hang' simulate those failures. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (input) => {
      if (input === 'crash') throw new Error('broken');
      if (input === 'exit') process.exit(3);
      if (input === 'hang') return;
      parentPort.postMessage(input === 'throw' ? { error: 'refused' } : { output: [input, threadId] });
    });`)}`,
);

let pool: WorkerPool<string, [string, number]>;
afterEach(() => pool.close());

const startPool = (overrides: object = {}) => {
  pool = createWorkerPool(SCRIPT, { maxWorkers: 2, maxWaiting: 10, timeoutMs: 20_000, memoryMb: 64, ...overrides });
  return pool;
};

describe('a worker pool', () => {
  it('reuses its threads and never starts more than the limit', async () => {
    startPool();
    const outputs = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((input) => pool.run(input)));
    expect(outputs.map(([input]) => input)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(new Set(outputs.map(([, thread]) => thread)).size).toBeLessThanOrEqual(2);
  });

  it.each([
    ['crash', 'broken'],
    ['exit', 'The worker exited with code 3'],
    ['throw', 'refused'],
  ])('rejects only the task whose worker fails (%s)', async (input, message) => {
    startPool({ maxWorkers: 1 });
    const [failed, others] = [pool.run(input), Promise.all([pool.run('a'), pool.run('b')])];
    await expect(failed).rejects.toThrow(message);
    expect((await others).map(([output]) => output)).toEqual(['a', 'b']);
  });

  it('times out a task that hangs and runs the next one', async () => {
    startPool({ maxWorkers: 1, timeoutMs: 2000 });
    await expect(pool.run('hang')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await pool.run('a')).toContain('a');
  });

  it('rejects a task when its queue is full', async () => {
    startPool({ maxWorkers: 1, maxWaiting: 2 });
    const running = [pool.run('a'), pool.run('b'), pool.run('c')];
    await expect(pool.run('d')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The server is busy right now. Please try again in a moment.',
    });
    expect(await Promise.all(running)).toHaveLength(3);
  });

  it('rejects running, queued and new tasks once it is closed', async () => {
    startPool({ maxWorkers: 1 });
    const [running, waiting] = [pool.run('hang'), pool.run('a')];
    const settled = Promise.allSettled([running, waiting]);
    await pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run('b')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
