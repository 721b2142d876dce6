import { Worker } from 'node:worker_threads';
import { failure } from '../errors/failures.ts';

export interface WorkerPool<Input, Output> {
  /** Fails when too much is waiting, when it takes too long, and when the worker breaks: never for more than this one task. */
  run(input: Input): Promise<Output>;
  close(): Promise<void>;
}

export interface WorkerLimits {
  /** Started when they are first needed. */
  readonly workers: number;
  readonly waiting: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** What a worker's script answers to every input that it is sent. */
export type WorkerAnswer<Output> = { readonly output: Output } | { readonly error: string };

interface Task<Input, Output> extends PromiseWithResolvers<Output> {
  readonly input: Input;
}

const busy = () => failure('UNAVAILABLE', 'The server is busy right now. Please try again in a moment.');

/** Runs the script in a few threads beside the one that serves calls. */
export function createWorkerPool<Input, Output>(script: URL, limits: WorkerLimits): WorkerPool<Input, Output> {
  const waiting: Task<Input, Output>[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let isClosed = false;

  const start = () => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } });
    // Neither an idle worker nor one that hangs keeps the server from ending.
    worker.unref();
    // Reported where its task waits; an idle worker that dies is no one's failure.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    all.add(worker);
    return worker;
  };

  const next = () => {
    if (waiting.length === 0) return;
    const worker = idle.pop() ?? (all.size < limits.workers ? start() : undefined);
    const task = worker && waiting.shift();
    if (worker && task) perform(worker, task);
  };

  const perform = (worker: Worker, { input, resolve, reject }: Task<Input, Output>) => {
    const leave = () => {
      clearTimeout(late);
      worker.off('message', answered).off('error', broken).off('exit', ended);
    };
    const giveUp = (reason: Error) => {
      leave();
      reject(reason);
      // Its place is free only once it is gone.
      void worker.terminate().then(next);
    };
    const answered = (answer: WorkerAnswer<Output>) => {
      leave();
      idle.push(worker);
      if ('output' in answer) resolve(answer.output);
      else reject(new Error(answer.error));
      next();
    };
    const broken = (error: Error) => giveUp(error);
    const ended = (code: number) => giveUp(new Error(`The worker ended with code ${code}`));
    const late = setTimeout(() => giveUp(busy()), limits.timeoutMs);
    worker.on('message', answered).on('error', broken).on('exit', ended);
    worker.postMessage(input, []);
  };

  return {
    run(input) {
      if (isClosed || waiting.length >= limits.waiting) return Promise.reject(busy());
      const task = { input, ...Promise.withResolvers<Output>() };
      waiting.push(task);
      next();
      return task.promise;
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(busy());
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}
