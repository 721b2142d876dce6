import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, navigateInApp, signUpCompany, todayAt } from './support/company-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true }).first();

/**
 * Waits for a toast and returns the enabled controls that it covers, and how far it is below the top bar: on a phone, the part of the page
 * below the bar may have no controls at that moment. Reads all at once, because a toast may disappear at any time.
 * Toasts may cover the search box and the timer in the top bar.
 */
async function findCoveredControls(page: Page, text: string): Promise<readonly string[]> {
  const covered = await page.waitForFunction((expected) => {
    const boxes = [...document.querySelectorAll<HTMLElement>('[aria-label="Messages"] > :is([role="alert"], [role="group"])')]
      .filter((toast) => toast.innerText.includes(expected))
      .map((toast) => toast.getBoundingClientRect())
      .filter(({ width }) => width > 0);
    if (boxes.length === 0) return null;
    const bar = document.querySelector('[data-top-bar]')?.getBoundingClientRect();
    // The edge of a toast with three lines is a few pixels below the bar.
    const overhangs = boxes.map(({ bottom }) => bottom - (bar?.bottom ?? bottom)).filter((px) => px > 12);
    const isCovered = (control: HTMLElement) => {
      const box = control.getBoundingClientRect();
      return boxes.some((toast) => {
        const [left, right] = [Math.max(toast.left, box.left), Math.min(toast.right, box.right)];
        const [top, bottom] = [Math.max(toast.top, box.top), Math.min(toast.bottom, box.bottom)];
        if (right <= left || bottom <= top) return false;
        // A control that is scrolled under the top bar or a dialog can't be pressed there anyway.
        const below = document
          .elementsFromPoint((left + right) / 2, (top + bottom) / 2)
          .find((element) => !element.closest('[aria-label="Messages"]'));
        return below !== undefined && control.contains(below);
      });
    };
    const controls = [...document.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled, .sr-only'))
      .filter((control) => !control.closest('[aria-label="Messages"], [inert]'))
      .filter((control) => !(control.closest('[data-top-bar]') && /Search or go to|View Job/.test(control.innerText + control.ariaLabel)))
      .filter(isCovered)
      .map((control) => control.outerHTML.slice(0, 120));
    return [...controls, ...overhangs.map((px) => `${px} px below the top bar`)];
  }, text);
  return (await covered.jsonValue()) ?? [];
}

async function expectToastBesideControls(page: Page, text: string): Promise<void> {
  expect(await findCoveredControls(page, text), text).toEqual([]);
}

async function addJob(page: Page, fields: object = {}): Promise<Job> {
  const { id: customer_id } = await addCustomer(page);
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const booking = { staff_id: user.staff_id, booking_date: todayAt('09:00'), duration: '2' };
  const texts = { title: 'Replace the hot water cylinder', description: 'In the basement' };
  return callApi<Job>(page, 'POST', '/jobs', { id: crypto.randomUUID(), customer_id, category_ids: [], ...texts, ...booking, ...fields });
}

test.describe('toasts', () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test('never cover a button of the page or a dialog', { tag: '@phone' }, async ({ page }) => {
    await signUpCompany(page);
    const job = await addJob(page, { fixed_amount: '115' });
    await page.goto(`/jobs/${job.id}`);
    await button(page, 'Complete Job').click();
    await expectToastBesideControls(page, 'Job marked as complete');
    await expect(page.getByRole('link', { name: 'Payment' }).filter({ visible: true }).first()).toBeVisible();
    await button(page, 'Undo').click();
    await expect(button(page, 'Complete Job')).toBeVisible();

    await page.route('**/api/customers', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400 }) : route.continue(),
    );
    await navigateInApp(page, '/customers/new');
    await page.getByLabel('Name', { exact: true }).fill('Ana');
    await page.getByLabel('Phone').fill('021 555 0102');
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByLabel('Address').fill('1 Wharf Street');
    await button(page, 'Add Customer').click();
    await expectToastBesideControls(page, 'Failed to');

    await page.route('**/api/tasks', (route) => route.fulfill({ status: 400 }));
    await navigateInApp(page, '/todo?add=true');
    await page.getByRole('dialog').getByLabel('Title').fill('Order pipes');
    await page.keyboard.press('Control+s');
    await expectToastBesideControls(page, 'Failed to');
  });

  test('can be undone by keyboard with F6', async ({ page }) => {
    await signUpCompany(page);
    const job = await addJob(page);
    await page.goto(`/jobs/${job.id}`);
    await button(page, 'Complete Job').click();
    await expectToastBesideControls(page, 'Job marked as complete');
    await page.keyboard.press('F6');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(button(page, 'Undo')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(button(page, 'Complete Job')).toBeVisible();
  });
});
