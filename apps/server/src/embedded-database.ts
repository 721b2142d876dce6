import type { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';

/** Names that stay as they are: data folders in use have been made with them. */
export const EMBEDDED_DATABASE = { appName: 'Callout', superuser: 'callout', database: 'callout' } as const;

/** The package knows what is wrong; which of our settings helps is added here. */
const HINTS = {
  'data-folder': ' The data folder is set by DATA_DIR.',
  'not-installed': ' Or set DATABASE_URL to a PostgreSQL server of your own.',
  other: '',
} as const;

export function describeDatabaseError({ message, problem }: EmbeddedPostgresError): string {
  return message + HINTS[problem];
}
