import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from './cluster.ts';
import { waitFor } from './cluster-process.ts';
import { findPostgresBin, installPackages, listMissingPackages } from './debian-packages.ts';
import { startLoad } from './firm-load.ts';
import { countFailures, formatReports, LoadRecord } from './load-record.ts';
import { listPhases } from './phases.ts';
import { findLostWrites } from './stored-writes.ts';

const HELP = `npm run cluster -- [options]
  --install   install the Debian packages that are missing
  --kills N   kill the primary N times (5)
  --quick     watch each event for a shorter time
  --keep      keep the cluster running at the end, to look at it`;

const { values: options } = parseArgs({
  options: {
    install: { type: 'boolean', default: false },
    kills: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
/** How long to watch people work before and after each event. */
const watchMs = options.quick ? 4_000 : 10_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  if (options.help) return void print(HELP);
  const missing = listMissingPackages();
  if (missing.length > 0 && !(options.install && installPackages(missing))) {
    print(`The cluster needs these Debian packages: ${missing.join(' ')}. Install them with: npm run cluster -- --install`);
    process.exitCode = 1;
    return;
  }
  const postgresBin = findPostgresBin();
  if (postgresBin === undefined) throw new Error('PostgreSQL is not installed');
  const stopFunctions: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const stopOnce = () =>
    (stopping ??= (async () => {
      for (const stop of stopFunctions.toReversed()) await stop().catch((error: unknown) => print(String(error)));
    })());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
    process.once(signal, () => void stopOnce().then(() => process.exit(1)));
  try {
    const cluster = await startCluster(postgresBin, (stop) => stopFunctions.push(stop), print);
    await runPhases(cluster);
    if (options.keep) await keepRunning(cluster);
  } catch (error) {
    if (stopping) return;
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  } finally {
    await stopOnce();
    // Close the channel to the launcher, which would otherwise keep the process alive.
    process.disconnect?.();
  }
}

async function runPhases(cluster: Cluster): Promise<void> {
  const record = new LoadRecord();
  const load = await startLoad(cluster.url, record);
  try {
    for (const { name, run } of listPhases(cluster, Number(options.kills))) {
      record.startPhase(name);
      await pause(watchMs);
      const result = await run();
      // A phase ends when people work again as before it.
      await waitFor('writes are acknowledged again', async () => record.isFlowing());
      await pause(watchMs);
      const report = record.endPhase();
      print(`${name}: ${report.acknowledged} writes, ${countFailures(report)} failures seen${result ? ` (${result})` : ''}`);
    }
  } finally {
    await load.stop();
  }
  const lost = await findLostWrites(cluster.superuserUrl, record, load);
  print(`\n${formatReports(record.reports)}\n`);
  for (const write of lost) print(`Lost: ${write}`);
  const acknowledged = record.reports.reduce((sum, report) => sum + report.acknowledged, 0);
  print(`${acknowledged} acknowledged writes, ${lost.length} lost`);
  if (lost.length > 0) process.exitCode = 1;
}

async function keepRunning(cluster: Cluster): Promise<void> {
  print(`Callout: ${cluster.url} (sign in as office1@example.com, password measured twice)`);
  print(`Settings, data and logs: ${cluster.folder.path}`);
  print('Stop with Ctrl-C.');
  await new Promise(() => setInterval(() => undefined, 60_000));
}

await main();
