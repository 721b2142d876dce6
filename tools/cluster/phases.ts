import { PROJECT_ROOT, type Release } from './callout-servers.ts';
import type { Cluster } from './cluster.ts';
import { createPassword } from './cluster-folder.ts';
import type { KillKind } from './database-cluster.ts';

/** Something that happens while people work. */
export interface Phase {
  readonly name: string;
  /** Returns a few words for the report. */
  run(): Promise<string | undefined>;
}

/** Lists what happens to a cluster in its life: an upgrade, failures of each part, and new secrets. */
export function listPhases(cluster: Cluster, killCount: number): Phase[] {
  const { callouts, database, proxies, files } = cluster;
  let { settings } = cluster;

  const migrate = (release: Release) => callouts.runCommand(['apps/server/src/migrate-command.ts'], release);

  /** Restarts one Callout after the other with this build and changed settings. */
  const roll = async (changes: Readonly<Record<string, string>>) => {
    settings = { ...settings, ...changes };
    await callouts.replace({ root: PROJECT_ROOT, env: settings });
    return undefined;
  };

  /** Each step is a rolling restart, in an order in which every Callout finds the files that another one has stored. */
  const moveFiles = async () => {
    const { DATA_DIR: sharedDir, ...others } = settings;
    const folderUrl = `file://${sharedDir}/files`;
    await roll({ ...files.settings, FILES_URL: folderUrl, FILES_FROM_URL: files.url });
    await roll({ FILES_URL: files.url, FILES_FROM_URL: folderUrl });
    const moved = await callouts.runCommand(['apps/server/src/backup/commands.ts', 'files-move'], { root: PROJECT_ROOT, env: settings });
    // From here on, the Callouts share no folder.
    settings = { ...others, ...files.settings, FILES_URL: files.url };
    await roll({});
    return moved;
  };

  const killPrimary = async (kind: KillKind) => {
    const killed = await database.killPrimary(kind);
    const successor = await database.waitForSuccessor(killed);
    if (kind === 'machine') database.startNode(killed);
    await database.waitUntilComplete();
    return `${killed} killed, ${successor} took over`;
  };

  const rotateSecrets = async () => {
    const [sessionSecret, databaseSecret] = [createPassword(), createPassword()];
    const { SESSION_SECRET: oldSessionSecret = '', DATABASE_SECRET: oldDatabaseSecret = oldSessionSecret } = settings;
    const bothSecrets = {
      SESSION_SECRET: `${sessionSecret},${oldSessionSecret}`,
      DATABASE_SECRET: `${databaseSecret},${oldDatabaseSecret}`,
    };
    await migrate({ root: PROJECT_ROOT, env: { ...settings, ...bothSecrets } });
    await roll(bothSecrets);
    // Old cookies end with the old session secret, so it stays listed until they have expired. Nobody needs the old logins.
    await roll({ DATABASE_SECRET: databaseSecret });
    await migrate({ root: PROJECT_ROOT, env: settings });
    return undefined;
  };

  return [
    { name: 'Previous release', run: async () => undefined },
    {
      name: 'Upgrade, one after the other',
      async run() {
        await migrate({ root: PROJECT_ROOT, env: settings });
        return roll({});
      },
    },
    { name: 'Calls through PgBouncer', run: () => roll({ DATABASE_POOL_URL: proxies.pooledUrl, DATABASE_NAMED_STATEMENTS: '0' }) },
    { name: 'Files move to S3', run: moveFiles },
    ...Array.from({ length: killCount }, (_, index): Phase => {
      const kind: KillKind = index % 2 === 0 ? 'machine' : 'PostgreSQL';
      return { name: `Kill ${index + 1}: the primary's ${kind}`, run: () => killPrimary(kind) };
    }),
    {
      name: 'Callout killed',
      async run() {
        await callouts.killAndRestart({ root: PROJECT_ROOT, env: settings });
        return undefined;
      },
    },
    { name: 'New secrets', run: rotateSecrets },
  ];
}
