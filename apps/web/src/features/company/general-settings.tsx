import type { Profile } from '@callout/contract/company';
import { USUAL_REMINDER } from '@callout/domain/invoices/invoice-reminder';
import { currencySymbol } from '@callout/domain/money/currency';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { messageOf, reportFailure } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { FormSection } from '../../ui/card.tsx';
import { useMe } from './company.api.ts';
import { CompanyLogo } from './company-logo.tsx';
import { useFreshProfile, useUpdateSettings } from './company-settings.api.ts';
import { settingsForm, zoneChoices } from './settings-form.ts';

const PERCENT = { trailing: '%' };

/** The default wording shows where the firm has none of its own. */
const REMINDER_WORDS = {
  invoice_reminder_subject: { placeholder: USUAL_REMINDER.subject },
  invoice_reminder_body: { placeholder: USUAL_REMINDER.body, rows: 8 },
};

export function GeneralSettings({ profile }: { profile: Profile }) {
  const { error } = useFreshProfile();
  useEffect(() => {
    if (error) reportFailure(error, `Failed to load profile: ${messageOf(error)}`);
  }, [error]);
  const update = useUpdateSettings();
  const editor = useRecordForm({
    definition: settingsForm,
    record: profile,
    person: useMe().user.id,
    save: (settings, version) => update.mutateAsync({ version, ...settings }),
  });
  const currency = useWatch({ control: editor.form.control, name: 'currency' });
  const zones = zoneChoices(profile.timezone);
  return (
    <div className="space-y-6">
      <CompanyLogo src={profile.avatar_url} />
      <RecordForm editor={editor} what="the settings" frame="none" choices={{ timezone: zones }}>
        <FormSection
          title="Company"
          description="How customers recognize and contact you. These details appear on quotes, invoices and emails."
        >
          <FormFields
            editor={editor}
            names={['company_name', 'email', 'phone', 'timezone', 'address']}
            extras={{
              company_name: { autoComplete: 'organization' },
              phone: { autoComplete: 'tel' },
              timezone: { choices: zones },
              address: { rows: 2, autoComplete: 'street-address' },
            }}
          />
        </FormSection>
        <FormSection title="Tax Settings" description="Default tax rate for quotes and invoices.">
          <FormFields editor={editor} names={['gst_number', 'gst_percentage']} extras={{ gst_percentage: PERCENT }} />
        </FormSection>
        <FormSection title="Quotes" description="What happens after a quote is sent.">
          <FormFields editor={editor} names={['quote_reminder_days']} />
        </FormSection>
        <FormSection title="Invoices" description="When invoices are due, and how customers are reminded.">
          <FormFields
            editor={editor}
            names={['payment_terms_days', 'invoice_reminder_days', 'invoice_reminder_subject', 'invoice_reminder_body']}
            extras={REMINDER_WORDS}
          />
        </FormSection>
        <FormSection title="Payment Settings" description="Hourly rate used unless a job sets its own.">
          <FormFields
            editor={editor}
            names={['default_hourly_rate', 'currency']}
            extras={{ default_hourly_rate: { leading: currencySymbol(currency) } }}
          />
        </FormSection>
        <FormSection title="Bank Details" description="Shown on invoices so customers can pay by bank transfer.">
          <FormFields editor={editor} names={['bank_name', 'bank_account_number']} />
        </FormSection>
        <FormSection title="PayPal Settings" description="Customers can pay an invoice online to this account.">
          <FormFields
            editor={editor}
            names={['paypal_email', 'add_paypal_fees', 'paypal_fee_percentage']}
            extras={{ paypal_fee_percentage: { ...PERCENT, step: '0.1' } }}
          />
        </FormSection>
      </RecordForm>
    </div>
  );
}
