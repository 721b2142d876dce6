import { CURRENCY_FIXED_MESSAGE, type Profile } from '@callout/contract/company';
import { DEFAULT_REMINDER } from '@callout/domain/invoices/invoice-reminder';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { getErrorMessage, reportFailure } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { FormSection } from '../../ui/card.tsx';
import { useMe } from './company.api.ts';
import { CompanyLogo } from './company-logo.tsx';
import { useFreshProfile, useIsCurrencyFinal, useUpdateSettings } from './company-settings.api.ts';
import { getTimeZoneChoices, settingsForm } from './settings-form.ts';

const PERCENT_SUFFIX = { trailing: '%' };
const GST_EXTRAS = { ...PERCENT_SUFFIX, hint: 'A new rate also changes the prices of jobs that are not quoted, invoiced or paid.' };

/** Placeholders with the default reminder text, which is sent if these fields are empty. */
const REMINDER_FIELD_EXTRAS = {
  invoice_reminder_subject: { placeholder: DEFAULT_REMINDER.subject },
  invoice_reminder_body: { placeholder: DEFAULT_REMINDER.body, rows: 8 },
};

const NO_REMINDERS_EXTRAS = { hint: `${MAIL_NOT_SET_UP_MESSAGE} No reminders are sent.` };

export function GeneralSettings({ profile }: { profile: Profile }) {
  const { error } = useFreshProfile();
  useEffect(() => {
    if (error) reportFailure(error, `Failed to load profile: ${getErrorMessage(error)}`);
  }, [error]);
  const { user, sends_mail: sendsMail } = useMe();
  const update = useUpdateSettings();
  const reminderDaysExtras = sendsMail ? undefined : NO_REMINDERS_EXTRAS;
  const editor = useRecordForm({
    definition: settingsForm,
    record: profile,
    person: user.id,
    save: (settings, version) => update.mutateAsync({ version, ...settings }),
  });
  const currency = useWatch({ control: editor.form.control, name: 'currency' });
  const isCurrencyFinal = useIsCurrencyFinal();
  const timeZoneChoices = getTimeZoneChoices(profile.timezone);
  return (
    <div className="space-y-6">
      <CompanyLogo src={profile.avatar_url} />
      <RecordForm editor={editor} recordLabel="the settings" frame="none" choices={{ timezone: timeZoneChoices }}>
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
              timezone: { choices: timeZoneChoices },
              address: { rows: 2, autoComplete: 'street-address' },
            }}
          />
        </FormSection>
        <FormSection title="Tax Settings" description="Default tax rate for quotes and invoices.">
          <FormFields editor={editor} names={['gst_number', 'gst_percentage']} extras={{ gst_percentage: GST_EXTRAS }} />
        </FormSection>
        <FormSection title="Quotes" description="What happens after a quote is sent.">
          <FormFields editor={editor} names={['quote_reminder_days']} extras={{ quote_reminder_days: reminderDaysExtras }} />
        </FormSection>
        <FormSection title="Invoices" description="When invoices are due, and how customers are reminded.">
          <FormFields
            editor={editor}
            names={['payment_terms_days', 'invoice_reminder_days', 'invoice_reminder_subject', 'invoice_reminder_body']}
            extras={{ ...REMINDER_FIELD_EXTRAS, invoice_reminder_days: reminderDaysExtras }}
          />
        </FormSection>
        <FormSection title="Payment Settings" description="Hourly rate for jobs that don't set their own.">
          <FormFields
            editor={editor}
            names={['default_hourly_rate', 'currency']}
            extras={{
              default_hourly_rate: { leading: getCurrencySymbol(currency) },
              currency: isCurrencyFinal
                ? { hint: CURRENCY_FIXED_MESSAGE, disabled: true }
                : { hint: 'Final once you send a quote or an invoice, or record a payment.' },
            }}
          />
        </FormSection>
        <FormSection title="Bank Details" description="Shown on invoices so customers can pay by bank transfer.">
          <FormFields editor={editor} names={['bank_name', 'bank_account_number']} />
        </FormSection>
        <FormSection title="PayPal Settings" description="Online invoice payments go to this account.">
          <FormFields
            editor={editor}
            names={['paypal_email', 'add_paypal_fees', 'paypal_fee_percentage']}
            extras={{ paypal_fee_percentage: { ...PERCENT_SUFFIX, step: '0.1' } }}
          />
        </FormSection>
      </RecordForm>
    </div>
  );
}
