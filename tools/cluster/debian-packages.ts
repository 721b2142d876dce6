import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The Debian packages that the cluster consists of, each with a program that shows that it is installed. */
const PROGRAM_BY_PACKAGE = {
  postgresql: 'pg_basebackup',
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/__init__.py',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  caddy: '/usr/bin/caddy',
} as const;

export const PROGRAMS = {
  patroni: PROGRAM_BY_PACKAGE.patroni,
  etcd: PROGRAM_BY_PACKAGE['etcd-server'],
  haproxy: PROGRAM_BY_PACKAGE.haproxy,
  pgbouncer: PROGRAM_BY_PACKAGE.pgbouncer,
  caddy: PROGRAM_BY_PACKAGE.caddy,
} as const;

const POSTGRES_DIR = '/usr/lib/postgresql';

/** Returns the programs of the newest PostgreSQL that Debian has installed. */
export function findPostgresBin(): string | undefined {
  if (!existsSync(POSTGRES_DIR)) return undefined;
  const versions = readdirSync(POSTGRES_DIR).toSorted((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(POSTGRES_DIR, version, 'bin'))
    .find((dir) => existsSync(join(dir, PROGRAM_BY_PACKAGE.postgresql)) && existsSync(join(dir, 'postgres')));
}

export function listMissingPackages(): string[] {
  return Object.entries(PROGRAM_BY_PACKAGE)
    .filter(([name, program]) => (name === 'postgresql' ? findPostgresBin() === undefined : !existsSync(program)))
    .map(([name]) => name);
}

/** Installs the packages. Debian starts some of their services; the cluster needs none of them, because it runs its own processes. */
export function installPackages(names: readonly string[]): boolean {
  const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '--no-install-recommends', ...names];
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', ...command];
  return spawnSync(program, args, { stdio: 'inherit' }).status === 0;
}
