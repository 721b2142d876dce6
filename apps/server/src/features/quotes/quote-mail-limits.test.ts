import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { buildCustomer, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
  firm = await createFirm(test);
});

const RATE_LIMITED = { code: 'TOO_MANY_ATTEMPTS', status: 429, data: { retry_after: expect.any(Number) as number } };

async function sendQuote({ people }: Firm, email = buildTestEmail()) {
  const { customers, quotes } = people.manager.client;
  const { id: customer_id } = await customers.create(buildCustomer({ email }));
  const { id } = await quotes.create(buildQuote({ customer_id }));
  return quotes.send({ id, mail_id: randomUUID(), subject: 'Your quote', body: 'Here it is.' });
}

/** Sets how many emails count as already sent. */
async function setAttempts(key: string, attempts: number): Promise<void> {
  await test.owner.query(`insert into rate_limits (key, attempts, window_ends_at) values ($1, $2, now() + interval '1 hour')`, [
    key,
    attempts,
  ]);
}

const readQuoteMailCounts = async () =>
  (await test.owner.query<{ key: string; attempts: number }>(`select key, attempts from rate_limits where key like 'quote-mail%'`)).rows;

describe('the quote email limits', () => {
  it('allow 100 emails an hour per company, without affecting other companies', async () => {
    const other = await createFirm(test, 'Other');
    await setAttempts(`quote-mail ${firm.companyId}`, 99);
    await sendQuote(firm);
    await expect(sendQuote(firm)).rejects.toMatchObject(RATE_LIMITED);
    expect(await sendQuote(other)).toMatchObject({ mail: 'kept' });
  });

  it('allow 300 emails a day per network, across all companies on it', async () => {
    const other = await createFirm(test, 'Other');
    await setAttempts('quote-mail-from 127.0.0.1', 299);
    await sendQuote(firm);
    await expect(sendQuote(other)).rejects.toMatchObject(RATE_LIMITED);
  });

  it('count an email once even if its transaction is retried, under keys that do not contain the customer’s address', async () => {
    await test.owner.query(`
      create sequence failures;
      create function fail_twice() returns trigger language plpgsql as $$ begin
        if nextval('public.failures') <= 2 then raise serialization_failure; end if;
        return new;
      end $$;
      create trigger fail_twice before insert on quote_mails for each row execute function fail_twice();
      grant usage on sequence failures to callout_app`);
    onTestFinished(async () => void (await test.owner.query('drop function fail_twice cascade; drop sequence failures')));
    const email = buildTestEmail();
    await sendQuote(firm, email);
    expect((await test.owner.query<{ value: string }>(`select last_value as value from failures`)).rows).toEqual([{ value: '3' }]);
    const hashedEmail = createHash('sha256').update(email).digest('base64url');
    const companyKey = `quote-mail ${firm.companyId}`;
    const keys = [companyKey, `${companyKey} ${hashedEmail}`, 'quote-mail-from 127.0.0.1', `quote-mail-to ${hashedEmail}`];
    expect((await readQuoteMailCounts()).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(
      keys.toSorted((a, b) => a.localeCompare(b)).map((key) => ({ key, attempts: 1 })),
    );
  });
});
