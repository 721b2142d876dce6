import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOPBACK_ADDRESS } from '@callout/embedded-postgres/endpoint';
import { type ClusterFolder, findFreePorts } from './cluster-folder.ts';
import { type ClusterProcess, runToEnd, startProcess, waitFor } from './cluster-process.ts';

export const PROJECT_ROOT = join(import.meta.dirname, '../..');
const READY_LINE = 'Callout is ready at ';

/** Caddy asks every half second whether a Callout is stopping. */
const SHUTDOWN_DELAY_MS = 2_000;
const FIXED_SETTINGS = { HOST: LOOPBACK_ADDRESS, TRUST_PROXY: '1', LOG_LEVEL: 'warn', SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) };

/** The code of a release and the settings that a Callout runs with. */
export interface Release {
  /** A checkout with its packages. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface CalloutServers {
  readonly ports: readonly number[];
  /** Runs a command of a release and returns the last line it prints. */
  runCommand(command: readonly string[], release: Release): Promise<string>;
  /** Starts both Callouts. */
  start(release: Release): Promise<void>;
  /** Stops one after the other and starts it with the new code or settings, as a rolling upgrade does. */
  replace(release: Release): Promise<void>;
  /** Kills one without warning, and starts it again as a supervisor would. */
  killAndRestart(release: Release): Promise<void>;
  stop(): Promise<void>;
}

export async function createCalloutServers(folder: ClusterFolder): Promise<CalloutServers> {
  const ports = await findFreePorts(2);
  const servers = new Map<number, ClusterProcess>();

  async function startServer(port: number, { root, env }: Release): Promise<void> {
    const name = `callout-${ports.indexOf(port) + 1}`;
    const server = startProcess(folder, name, {
      command: [process.execPath, 'apps/server/src/main.ts'],
      cwd: root,
      isOwn: true,
      env: { ...FIXED_SETTINGS, DATA_DIR: join(folder.path, name), PORT: String(port), ...env },
    });
    servers.set(port, server);
    const linesBefore = countReadyLines(server.logFile);
    await waitFor(`${name} is ready`, async () => countReadyLines(server.logFile) > linesBefore, { needs: [server] });
  }

  return {
    ports,
    runCommand: (command, { root, env }) => runToEnd(folder, 'command', [process.execPath, ...command], { cwd: root, isOwn: true, env }),
    async start(release) {
      await Promise.all(ports.map((port) => startServer(port, release)));
    },
    async replace(release) {
      for (const port of ports) {
        await servers.get(port)?.stop();
        await startServer(port, release);
      }
    },
    async killAndRestart(release) {
      const [port = 0] = ports;
      await servers.get(port)?.kill();
      await startServer(port, release);
    },
    async stop() {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    },
  };
}

/** A restarted Callout appends to the log of the one before, so its ready line is one more. */
const countReadyLines = (logFile: string) => readFileSync(logFile, 'utf8').split(READY_LINE).length - 1;
