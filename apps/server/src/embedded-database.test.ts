import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { expect, test } from 'vitest';
import { describeDatabaseError } from './embedded-database.ts';

test.each([
  ['not-installed', 'DATABASE_URL'],
  ['data-folder', 'DATA_DIR'],
] as const)('an embedded database that fails because of %s names the setting %s', (problem, setting) => {
  const line = describeDatabaseError(new EmbeddedPostgresError('It does not run.', problem));
  expect(line).toMatch(/^It does not run\. /);
  expect(line).toContain(setting);
});
