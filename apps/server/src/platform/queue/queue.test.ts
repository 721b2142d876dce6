import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntilBlocked } from '../../../test/database.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { type AllPools, createPools } from '../db/pools.ts';
import { holdWorkerLock, releaseJobsOfDeadWorkers } from './queue.sql.ts';
import { startQueue } from './queue.ts';

let test: TestApp;
let pools: AllPools;

beforeAll(async () => {
  test = await startTestApp();
  pools = createPools(test.logins, 4, () => undefined);
  return () => pools.end();
});

/** Adds a job that a worker has taken but not finished. */
async function addJobLockedBy(workerId: string, secondsAgo = 60): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>(
    `select id from graphile_worker.add_job('no-such-task', run_at => now() + interval '1 day')`,
  );
  const id = rows[0]?.id ?? '';
  await test.owner.query(
    'update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - make_interval(secs => $3) where id = $1',
    [id, workerId, secondsAgo],
  );
  return id;
}

async function isLocked(id: string): Promise<boolean> {
  const { rows } = await test.owner.query<{ locked: boolean }>(
    'select locked_by is not null as locked from graphile_worker.jobs where id = $1',
    [id],
  );
  return rows[0]?.locked === true;
}

describe('a queue job', () => {
  it('is added even if a worker takes the waiting job with the same key at that moment', async () => {
    const queue = `select queue_work('no-such-task', '{}', 'one key')`;
    await test.owner.query(queue);
    const worker = await test.owner.connect();
    await worker.query('begin');
    await worker.query(`update graphile_worker._private_jobs set locked_by = 'worker', locked_at = now() where key = 'one key'`);
    const queued = test.owner.query(queue);
    await waitUntilBlocked(test.database);
    await worker.query('commit');
    worker.release();
    await queued;
    const { rows } = await test.owner.query(
      `select locked_by from graphile_worker.jobs where task_identifier = 'no-such-task' order by id`,
    );
    expect(rows).toEqual([{ locked_by: 'worker' }, { locked_by: null }]);
  });

  it('that fails while the database restarts is retried later and does not crash the server', async () => {
    const otherPools = createPools(test.logins, 4, () => undefined);
    const { queue: pool } = otherPools;
    const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    let isDatabaseDown = false;
    const rejectConnect = () => {
      isDatabaseDown = false;
      return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    };
    Object.assign(pool, { connect: (...args: unknown[]) => (isDatabaseDown && args.length === 0 ? rejectConnect() : connect(...args)) });
    const work = () => {
      isDatabaseDown = true;
      return Promise.reject(new Error('lost the database'));
    };
    const queue = await startQueue({ pool, log: test.app.platform.log }, [{ name: 'fails-in-an-outage', run: work }], []);
    const { rows } = await test.owner.query<{ id: string }>(`select id from graphile_worker.add_job('fails-in-an-outage')`);
    const queryStoredJob = async () =>
      (await test.owner.query<object>('select last_error, locked_by from graphile_worker.jobs where id = $1', [rows[0]?.id])).rows;
    await expect.poll(queryStoredJob, { timeout: 20_000 }).toEqual([{ last_error: 'lost the database', locked_by: null }]);
    await queue.stop();
    await otherPools.end();
  });

  it('of a killed worker is released immediately, not after four hours', async () => {
    const id = await addJobLockedBy(`pool-${randomUUID()}`);
    await releaseJobsOfDeadWorkers(pools.queue);
    expect(await isLocked(id)).toBe(false);
  });

  it('of a live worker stays locked until that worker ends', async () => {
    const worker = `pool-${randomUUID()}`;
    const releaseLock = holdWorkerLock(pools.queue, worker, test.app.platform.log);
    const lockQuery = `select from pg_locks where locktype = 'advisory' and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = hashtextextended('callout worker ' || $1, 0)`;
    await expect.poll(async () => (await test.owner.query(lockQuery, [worker])).rowCount).toBe(1);
    const id = await addJobLockedBy(worker);
    await releaseJobsOfDeadWorkers(pools.queue);
    expect(await isLocked(id)).toBe(true);
    releaseLock();
    await expect
      .poll(async () => {
        await releaseJobsOfDeadWorkers(pools.queue);
        return isLocked(id);
      })
      .toBe(false);
  });

  it('that was just taken stays locked, because its worker may not hold its lock yet', async () => {
    const id = await addJobLockedBy(`pool-${randomUUID()}`, 0);
    await releaseJobsOfDeadWorkers(pools.queue);
    expect(await isLocked(id)).toBe(true);
  });
});

it('runs waiting batches after other tasks, so that these wait for no more than the running batch', async () => {
  const { app, owner, logins } = await startTestApp();
  await app.close();
  const ownPools = createPools(logins, 4, () => undefined);
  const batches = ['name-jobs', 'reprice-jobs', 'unlink-deleted-record'];
  const others = ['remove-file', 'record-quote-delivery'];
  for (const name of [...batches, ...others]) await owner.query(`select queue_work($1, '{}')`, [name]);
  const started: string[] = [];
  const handlers = [...batches, ...others].map((name) => ({ name, run: () => Promise.resolve(void started.push(name)) }));
  const queue = await startQueue({ pool: ownPools.queue, log: test.app.platform.log, workers: 1 }, handlers, []);
  await expect.poll(() => started, { timeout: 20_000 }).toEqual([...others, ...batches]);
  await queue.stop();
  await ownPools.end();
});

it('stopping the queue waits until its last job’s result is stored', async () => {
  const ownPools = createPools(test.logins, 4, () => undefined);
  const [finish, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const occupy = async () => {
    const client = await ownPools.queue.connect();
    await free.promise;
    client.release();
  };
  // Holds every connection, including those that the queue releases as it shuts down, so that the job's result can't be stored yet.
  const run = async () => {
    for (let n = 0; n < ownPools.queue.options.max; n += 1) void occupy();
    await finish.promise;
  };
  const queue = await startQueue({ pool: ownPools.queue, log: test.app.platform.log }, [{ name: 'last-job-test', run }], []);
  await test.owner.query(`select graphile_worker.add_job('last-job-test')`);
  await expect.poll(() => ownPools.queue.waitingCount, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  const ended = queue.stop().then(() => ownPools.end());
  finish.resolve();
  // Gives the queue enough time to end before the result is stored, which would be a bug.
  for (let n = 0; n < 50; n += 1) await test.owner.query('select');
  free.resolve();
  await ended;
  const { rows } = await test.owner.query(`select from graphile_worker.jobs where task_identifier = 'last-job-test'`);
  expect(rows).toEqual([]);
});

describe('a scheduled task', () => {
  it('that missed several runs while the server was down runs once after the restart', async () => {
    const ran: string[] = [];
    const task = { name: 'hourly-test', schedule: { minute: 0 }, run: async () => void ran.push('hourly') };
    const start = () => startQueue({ pool: pools.queue, log: test.app.platform.log }, [], [task]);
    await (await start()).stop();
    // Pretends that the server last checked the schedule three hours ago.
    await test.owner.query(
      `update graphile_worker._private_known_crontabs set known_since = now() - interval '1 day', last_execution = date_trunc('hour', now()) - interval '3 hours' where identifier = $1`,
      [task.name],
    );
    const queue = await start();
    await expect.poll(() => ran.length, { timeout: 10_000 }).toBe(1);
    const queryQueuedJobs = () => test.owner.query('select from graphile_worker.jobs where task_identifier = $1', [task.name]);
    await expect.poll(async () => (await queryQueuedJobs()).rowCount, { timeout: 10_000 }).toBe(0);
    await queue.stop();
    expect(ran).toEqual(['hourly']);
  });

  it('resumes after the clock was set back by years, and logs a warning', async () => {
    const task = { name: 'set-back-test', schedule: { minute: 0 }, run: async () => undefined };
    const start = () => startQueue({ pool: pools.queue, log: test.app.platform.log }, [], [task]);
    await (await start()).stop();
    await test.owner.query(
      `update graphile_worker._private_known_crontabs set last_execution = date_trunc('hour', now()) + interval '10 years' where identifier = $1`,
      [task.name],
    );
    await (await start()).stop();
    const { rows } = await test.owner.query(
      'select last_execution <= now() as is_past from graphile_worker._private_known_crontabs where identifier = $1',
      [task.name],
    );
    expect(rows).toEqual([{ is_past: true }]);
    expect(test.logLines.filter((line) => line.includes('clock was set back'))).toHaveLength(1);
  });
});
