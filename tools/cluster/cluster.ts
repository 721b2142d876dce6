import { checkOutRelease, readPreviousRelease } from '../../apps/server/test/upgrade/release-checkout.ts';
import { type CalloutServers, createCalloutServers } from './callout-servers.ts';
import { type ClusterFolder, createClusterFolder, createPassword } from './cluster-folder.ts';
import { stopRemainingProcesses } from './cluster-process.ts';
import { type DatabaseCluster, readPostgresVersion, startDatabaseCluster } from './database-cluster.ts';
import { type FileServer, startFileServer } from './file-server.ts';
import { type DatabaseProxies, startDatabaseProxies, startWebProxy } from './proxies.ts';

/** Everything that runs, with the previous release of Callout. */
export interface Cluster {
  readonly folder: ClusterFolder;
  readonly database: DatabaseCluster;
  readonly proxies: DatabaseProxies;
  readonly files: FileServer;
  readonly callouts: CalloutServers;
  readonly url: string;
  readonly superuserUrl: string;
  /** The settings of the previous release. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the parts from the database to the web. `onStop` gets a function for each part that has been started. */
export async function startCluster(
  postgresBin: string,
  onStop: (stop: () => Promise<void>) => void,
  print: (line: string) => void,
): Promise<Cluster> {
  const folder = await createClusterFolder();
  onStop(async () => (process.exitCode === undefined ? folder.remove() : print(`Settings, data and logs: ${folder.path}`)));
  onStop(stopRemainingProcesses);
  const database = await startDatabaseCluster(folder, postgresBin);
  onStop(() => database.stop());
  const primary = await database.waitUntilComplete();
  print(`PostgreSQL ${readPostgresVersion(folder)}: ${database.nodes.map(({ name }) => name).join(', ')}; the primary is ${primary}`);
  const proxies = await startDatabaseProxies(folder, database, postgresBin);
  onStop(() => proxies.stop());
  const files = await startFileServer(folder);
  onStop(() => files.stop());
  const previous = readPreviousRelease();
  const settings = { DATA_DIR: `${folder.path}/shared`, DATABASE_URL: proxies.directUrl, SESSION_SECRET: createPassword() };
  const callouts = await createCalloutServers(folder);
  onStop(() => callouts.stop());
  await callouts.start({ root: checkOutRelease(previous), env: settings });
  const web = await startWebProxy(folder, callouts.ports);
  onStop(() => web.stop());
  print(`Callout ${previous.version}: ${web.url}`);
  return { folder, database, proxies, files, callouts, url: web.url, superuserUrl: proxies.superuserUrl, settings };
}
