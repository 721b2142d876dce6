import { Worker } from 'node:worker_threads';
import { createBusyFailure } from '../errors/failures.ts';

export interface WorkerPool<Input, Output> {
  /** Rejects when the queue is full, the task times out or its worker crashes. Other tasks are unaffected. */
  run(input: Input): Promise<Output>;
  close(): Promise<void>;
}

export interface WorkerLimits {
  /** The maximum number of workers, which are started on demand. */
  readonly maxWorkers: number;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** The message that a worker posts back for each input. */
export type WorkerResponse<Output> = { readonly output: Output } | { readonly error: string };

interface QueuedTask<Input, Output> extends PromiseWithResolvers<Output> {
  readonly input: Input;
}

/** Runs the script in worker threads, so that CPU-heavy work doesn't block the thread that serves calls. */
export function createWorkerPool<Input, Output>(script: URL, limits: WorkerLimits): WorkerPool<Input, Output> {
  const queue: QueuedTask<Input, Output>[] = [];
  const idleWorkers: Worker[] = [];
  const workers = new Set<Worker>();
  let isClosed = false;

  const startWorker = () => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } });
    // An idle or hanging worker must not keep the process alive.
    worker.unref();
    // Without a listener, an idle worker's crash would take the server down. A running task has its own listener.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      workers.delete(worker);
      if (idleWorkers.includes(worker)) idleWorkers.splice(idleWorkers.indexOf(worker), 1);
    });
    workers.add(worker);
    return worker;
  };

  const runNextTask = () => {
    if (queue.length === 0) return;
    const worker = idleWorkers.pop() ?? (workers.size < limits.maxWorkers ? startWorker() : undefined);
    const task = worker && queue.shift();
    if (worker && task) runTask(worker, task);
  };

  const runTask = (worker: Worker, { input, resolve, reject }: QueuedTask<Input, Output>) => {
    const removeListeners = () => {
      clearTimeout(timeout);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const abandonWorker = (reason: Error) => {
      removeListeners();
      reject(reason);
      // The worker counts toward the limit until it has exited, so run the next task only then.
      void worker.terminate().then(runNextTask);
    };
    const onMessage = (response: WorkerResponse<Output>) => {
      removeListeners();
      idleWorkers.push(worker);
      if ('output' in response) resolve(response.output);
      else reject(new Error(response.error));
      runNextTask();
    };
    const onError = (error: Error) => abandonWorker(error);
    const onExit = (code: number) => abandonWorker(new Error(`The worker exited with code ${code}`));
    const timeout = setTimeout(() => abandonWorker(createBusyFailure()), limits.timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(input, []);
  };

  return {
    run(input) {
      if (isClosed || queue.length >= limits.maxWaiting) return Promise.reject(createBusyFailure());
      const task = { input, ...Promise.withResolvers<Output>() };
      queue.push(task);
      runNextTask();
      return task.promise;
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(createBusyFailure());
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}
