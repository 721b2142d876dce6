import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { newCustomer, newQuote } from '../../../test/factories/inputs.ts';
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

const TOO_MANY = { code: 'TOO_MANY_ATTEMPTS', status: 429, data: { retry_after: expect.any(Number) as number } };

/** Mails a new quote to a new customer. */
async function send({ people }: Firm, email = uniqueEmail()) {
  const { customers, quotes } = people.manager.client;
  const { id: customer_id } = await customers.create(newCustomer({ email }));
  const { id } = await quotes.create(newQuote({ customer_id }));
  return quotes.send({ id, mail_id: randomUUID(), subject: 'Your quote', body: 'Here it is.' });
}

/** As if this many mails were sent before. */
async function count(key: string, attempts: number): Promise<void> {
  await test.owner.query(`insert into rate_limits (key, attempts, window_ends_at) values ($1, $2, now() + interval '1 hour')`, [
    key,
    attempts,
  ]);
}

const counted = async () =>
  (await test.owner.query<{ key: string; attempts: number }>(`select key, attempts from rate_limits where key like 'quote-mail%'`)).rows;

describe('mails with quotes are limited', () => {
  it('to a hundred an hour from one company, and no other one is held up', async () => {
    const other = await createFirm(test, 'Other');
    await count(`quote-mail ${firm.companyId}`, 99);
    await send(firm);
    await expect(send(firm)).rejects.toMatchObject(TOO_MANY);
    expect(await send(other)).toMatchObject({ mail: 'kept' });
  });

  it('to three hundred a day from one network, whatever companies it has', async () => {
    const other = await createFirm(test, 'Other');
    await count('quote-mail-from 127.0.0.1', 299);
    await send(firm);
    await expect(send(other)).rejects.toMatchObject(TOO_MANY);
  });

  it('and each is counted once, however often its transaction is retried, under keys that do not name the customer', async () => {
    await test.owner.query(`
      create sequence losses;
      create function lose() returns trigger language plpgsql as $$ begin
        if nextval('public.losses') <= 2 then raise serialization_failure; end if;
        return new;
      end $$;
      create trigger lose before insert on quote_mails for each row execute function lose();
      grant usage on sequence losses to callout_app`);
    onTestFinished(async () => void (await test.owner.query('drop function lose cascade; drop sequence losses')));
    const email = uniqueEmail();
    await send(firm, email);
    expect((await test.owner.query<{ value: string }>(`select last_value as value from losses`)).rows).toEqual([{ value: '3' }]);
    const mailbox = createHash('sha256').update(email).digest('base64url');
    const ofCompany = `quote-mail ${firm.companyId}`;
    const keys = [ofCompany, `${ofCompany} ${mailbox}`, 'quote-mail-from 127.0.0.1', `quote-mail-to ${mailbox}`];
    expect((await counted()).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(
      keys.toSorted((a, b) => a.localeCompare(b)).map((key) => ({ key, attempts: 1 })),
    );
  });
});
