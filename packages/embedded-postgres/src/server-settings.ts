import type { PostgresEndpoint } from './endpoint.ts';

/** Sized for a machine that also does other work. Sets PostgreSQL's default durability explicitly, because the app promises it. */
const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
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
  // Don't log error details and statements, which contain personal data. The app logs the parts it needs.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export function buildServerArguments({ host, port }: PostgresEndpoint, settings: Readonly<Record<string, string>>): string[] {
  const listenSettings: Record<string, string> =
    process.platform === 'win32'
      ? { listen_addresses: host, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: `"${host.replaceAll('"', '""')}"` };
  const allSettings = { ...DEFAULT_SETTINGS, ...settings, ...listenSettings, port: String(port) };
  return Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export function isFsyncEnabled(settings: Readonly<Record<string, string>>): boolean {
  return settings['fsync'] !== 'off';
}
