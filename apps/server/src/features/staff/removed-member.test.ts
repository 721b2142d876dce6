import { beforeAll, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

it('tells the open pages of a removed member which company they no longer belong to, and tells no one else', async () => {
  const { admin, staff } = firm.people;
  const company = (await admin.client.company.me()).profile?.company_name ?? '';
  const { rows } = await admin.client.staff.list();
  const member = rows.find(({ profile_id }) => profile_id === staff.userId);
  const stream = await openEventStream(test, staff.cookie);
  await admin.client.staff.remove({ id: member?.id ?? '' });
  expect(await stream.next()).toMatchObject({ event: 'signed-out', data: { removed_from: company } });
  await expect(staff.client.company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', data: { removed_from: company } });
  for (const cookie of [undefined, `${staff.cookie}x`]) {
    const { statusCode, body } = await test.request('GET', '/api/me', { cookie });
    expect([statusCode, body.includes(company)]).toEqual([401, false]);
  }
});
