import type { ContractInputs } from '@callout/contract/contract';

/** The profile of a new company; say only what the test is about. */
export function newProfile(over: Partial<ContractInputs['company']['completeOnboarding']> = {}) {
  return {
    company_name: 'Tane Plumbing',
    phone: '09 555 000',
    gst_number: '123-456-789',
    gst_percentage: '15',
    paypal_email: 'pay@example.com',
    currency: 'NZD' as const,
    timezone: 'Pacific/Auckland',
    ...over,
  };
}
