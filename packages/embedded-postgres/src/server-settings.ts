import type { Endpoint } from './endpoint.ts';

/** For a machine that does other work too. Durability is PostgreSQL's default, written out because the product promises it. */
const DEFAULTS: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '60',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_wal_size: '512MB',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // Errors carry people's data in their details and statements; the product logs what it needs of them.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export function serverArguments({ host, port }: Endpoint, settings: Readonly<Record<string, string>>): string[] {
  const listen: Record<string, string> =
    process.platform === 'win32'
      ? { listen_addresses: host, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: `"${host.replaceAll('"', '""')}"` };
  return Object.entries({ ...DEFAULTS, ...settings, ...listen, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export function isDurable(settings: Readonly<Record<string, string>>): boolean {
  return settings['fsync'] !== 'off';
}
