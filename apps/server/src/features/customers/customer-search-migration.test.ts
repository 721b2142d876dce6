import { randomUUID } from 'node:crypto';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0015_customer_search.sql';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore(MIGRATION);
  database = created.database;
  return created.drop;
});

/** Folds case and accents the way the server did before this migration. */
const foldBeforeMigration = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Builds names that together contain every character that folding could change. */
function buildNamesWithAllCharacters(): string[] {
  const ranges = [
    [0x20, 0x2fff],
    [0x3300, 0x33ff],
    [0xa640, 0xabff],
    [0xf900, 0xffef],
    [0x1d400, 0x1d7ff],
  ] as const;
  const codes = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
  const characters = codes.map((code) => String.fromCodePoint(code)).filter(isMigratedCharacter);
  return Array.from({ length: Math.ceil(characters.length / 90) }, (_, index) => characters.slice(index * 90, index * 90 + 90).join(''));
}

/** Returns false for two characters that the migration replaces with a space, but that a newly saved customer treats as an apostrophe. */
const isMigratedCharacter = (character: string) => !/[\u00b4\u1ffd]/.test(character);

function buildRandomNames(): string[] {
  const character = fc.oneof(
    fc.constantFrom(...Array.from('\'’‘`ʼʻ′″‴“”„—–‐−øØæÆœßẞþÞđðłıİəςΣσ한ﷺ🧰 -"AÉz')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => isMigratedCharacter(text) && text !== '\0'),
  );
  return fc.sample(fc.string({ unit: character, minLength: 1, maxLength: 120 }), { numRuns: 1000, seed: 20_260_101 });
}

interface CustomerRow {
  readonly id: string;
  readonly name: string;
  readonly company_name: string | null;
  readonly contact_name: string | null;
  readonly address: string;
  readonly phone: string;
  readonly name_key: string;
  readonly company_name_key: string | null;
  readonly search_text: string;
}

function buildOldRow(name: string, index: number, names: readonly string[]): CustomerRow {
  const company_name = index % 3 === 0 ? null : (names[(index * 7) % names.length] ?? null);
  const [address, phone] = [names[(index * 11) % names.length] ?? '', '+64 (21) 555–123'];
  const contact_name = company_name && index % 3 === 1 ? (names[(index * 13) % names.length] ?? null) : null;
  const search_text = foldBeforeMigration([name, address, company_name, contact_name, phone, '+6421555123'].filter(Boolean).join('\n'));
  const [name_key, company_name_key] = [foldBeforeMigration(name), company_name && foldBeforeMigration(company_name)];
  return { id: randomUUID(), name, company_name, contact_name, address, phone, name_key, company_name_key, search_text };
}

it('the search key migration gives existing customers the same search and sort keys as newly saved ones', async () => {
  const names = [...buildNamesWithAllCharacters(), ...buildRandomNames()];
  const rows = names.map(buildOldRow);
  const stored = await withOwnerClient(database, async (owner) => {
    const companyId = randomUUID();
    await owner.query(`insert into companies (company_id, company_name) values ($1, 'Firm')`, [companyId]);
    await owner.query(
      `insert into customers (company_id, id, name, email, phone, address, company_name, contact_name, name_key, company_name_key, search_text)
        select $1, id, name, '', phone, address, company_name, contact_name, name_key, company_name_key, search_text
        from jsonb_populate_recordset(null::customers, $2)`,
      [companyId, JSON.stringify(rows)],
    );
    expect(await migrate(database)).toContain(MIGRATION);
    return (await owner.query<CustomerRow>('select id, name_key, company_name_key, contact_name_key, search_text from customers')).rows;
  });
  const byId = new Map(stored.map((row) => [row.id, row]));
  for (const { id, name, company_name, contact_name, address, phone } of rows) {
    expect(byId.get(id)).toEqual({
      id,
      name_key: buildSortKey(name),
      company_name_key: company_name && buildSortKey(company_name),
      contact_name_key: contact_name && buildSortKey(contact_name),
      search_text: buildSearchText([name, address, company_name, contact_name], [phone]),
    });
  }
});
