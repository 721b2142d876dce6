import type { CompanySettings } from '@callout/contract/company';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

it('a stored company name that reads as a web address does not stop other settings from being saved', async () => {
  const stored = { ...PROFILE, company_name: 'Plumb.it' };
  const sent: unknown[] = [];
  openPage('/settings', {
    'GET /me': () => ({ ...OWNER, profile: stored }),
    'GET /notifications/unread': () => ({ count: 0 }),
    'PUT /company': (input) => {
      sent.push(input);
      return { ...OWNER, profile: { ...stored, ...(input as CompanySettings), version: 2 } };
    },
  });
  fireEvent.change(await screen.findByLabelText(/^Phone/), { target: { value: '09 555 999' } });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' })));
  await waitFor(() => expect(sent).toMatchObject([{ company_name: 'Plumb.it', phone: '09 555 999', version: 1 }]));
});
