import { PROJECT_ROOT } from './callout-servers.ts';
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
  const { callouts, database } = cluster;
  let { settings } = cluster;

  /** Restarts one Callout after the other with this build and changed settings. */
  const roll = async (changes: Readonly<Record<string, string>>) => {
    settings = { ...settings, ...changes };
    await callouts.replace({ root: PROJECT_ROOT, env: settings });
    return undefined;
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
    await callouts.migrate({ root: PROJECT_ROOT, env: { ...settings, ...bothSecrets } });
    await roll(bothSecrets);
    // Old cookies end with the old session secret, so it stays listed until they have expired. Nobody needs the old logins.
    await roll({ DATABASE_SECRET: databaseSecret });
    await callouts.migrate({ root: PROJECT_ROOT, env: settings });
    return undefined;
  };

  return [
    { name: 'Previous release', run: async () => undefined },
    {
      name: 'Upgrade, one after the other',
      async run() {
        await callouts.migrate({ root: PROJECT_ROOT, env: settings });
        return roll({});
      },
    },
    ...Array.from({ length: killCount }, (_, index): Phase => {
      const kind: KillKind = index % 2 === 0 ? 'machine' : 'PostgreSQL';
      return { name: `Primary killed: ${kind}`, run: () => killPrimary(kind) };
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
