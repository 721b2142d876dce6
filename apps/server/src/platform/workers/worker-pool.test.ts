import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** Answers its input; 'crash', 'throw' and 'hang' do what they say. */
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

const start = (over: object = {}) => {
  pool = createWorkerPool(SCRIPT, { workers: 2, waiting: 10, timeoutMs: 20_000, memoryMb: 64, ...over });
  return pool;
};

describe('a pool of workers', () => {
  it('runs tasks in at most as many threads as it has, and uses them again', async () => {
    start();
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((input) => pool.run(input)));
    expect(answers.map(([input]) => input)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(new Set(answers.map(([, thread]) => thread)).size).toBeLessThanOrEqual(2);
  });

  it.each([
    ['crash', 'broken'],
    ['exit', 'The worker ended with code 3'],
    ['throw', 'refused'],
  ])('fails only the task of a worker that %ses', async (input, message) => {
    start({ workers: 1 });
    const [failed, others] = [pool.run(input), Promise.all([pool.run('a'), pool.run('b')])];
    await expect(failed).rejects.toThrow(message);
    expect((await others).map(([answer]) => answer)).toEqual(['a', 'b']);
  });

  it('ends a task that takes too long, and goes on with the next', async () => {
    start({ workers: 1, timeoutMs: 2000 });
    await expect(pool.run('hang')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await pool.run('a')).toContain('a');
  });

  it('refuses what would wait behind too many', async () => {
    start({ workers: 1, waiting: 2 });
    const running = [pool.run('a'), pool.run('b'), pool.run('c')];
    await expect(pool.run('d')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The server is busy right now. Please try again in a moment.',
    });
    expect(await Promise.all(running)).toHaveLength(3);
  });

  it('that is closed refuses what waits', async () => {
    start({ workers: 1 });
    const [running, waiting] = [pool.run('hang'), pool.run('a')];
    const ended = Promise.allSettled([running, waiting]);
    await pool.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run('b')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
