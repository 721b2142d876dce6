import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '@callout/domain/customers/customer';
import { type Control, type FieldErrors, type UseFormRegister, useWatch } from 'react-hook-form';
import { RadioGroup } from '../../ui/choice-fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { CUSTOMER_STATUS_LABELS } from './customer-filter.ts';
import {
  CUSTOMER_FIELD_LABELS,
  CUSTOMER_FIELDS,
  CUSTOMER_TYPE_LABELS,
  type CustomerField,
  type CustomerValues,
} from './customer-values.ts';

const TYPE_CHOICES = CUSTOMER_TYPES.map((value) => ({ value, label: CUSTOMER_TYPE_LABELS[value] }));
const STATUS_CHOICES = CUSTOMER_STATUSES.map((value) => ({ value, label: CUSTOMER_STATUS_LABELS[value] }));

/** Another person's address: the browser must not fill in our own. */
const EMAIL_INPUT = { type: 'email', inputMode: 'email', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

interface CustomerFormFieldsProps<Saved> {
  control: Control<CustomerValues, unknown, Saved>;
  register: UseFormRegister<CustomerValues>;
  errors: FieldErrors<CustomerValues>;
  /** A new customer is active, so only an edit asks. */
  withStatus?: boolean;
}

export function CustomerFormFields<Saved>({ control, register, errors, withStatus = false }: CustomerFormFieldsProps<Saved>) {
  const type = useWatch({ control, name: 'type' });
  // All of them, in the order they stand: a failed check puts the cursor into the first wrong one, also when it was shown later.
  for (const name of CUSTOMER_FIELDS) register(name);
  const field = (name: CustomerField) => ({ ...register(name), label: CUSTOMER_FIELD_LABELS[name], error: errors[name]?.message });
  const company = type === 'company';
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:gap-5">
      <RadioGroup {...field('type')} choices={TYPE_CHOICES} className={withStatus ? undefined : 'sm:col-span-2'} />
      {withStatus && <SelectField {...field('status')} choices={STATUS_CHOICES} />}
      {company && <TextField {...field('company_name')} autoComplete="off" />}
      <TextField {...field('name')} autoComplete="off" className={company ? undefined : 'sm:col-span-2'} />
      <TextField {...field('phone')} type="tel" inputMode="tel" autoComplete="off" />
      <TextField {...field('email')} {...EMAIL_INPUT} />
      <TextField {...field('address')} autoComplete="off" className="sm:col-span-2" />
      {company && (
        <fieldset className="m-0 grid min-w-0 items-start gap-4 border-0 border-t p-0 pt-4 sm:col-span-2 sm:grid-cols-3 lg:gap-5 lg:pt-5">
          <legend className="sr-only">Contact at the company</legend>
          <TextField {...field('contact_name')} optional autoComplete="off" />
          <TextField {...field('contact_email')} {...EMAIL_INPUT} optional />
          <TextField {...field('contact_phone')} optional type="tel" inputMode="tel" autoComplete="off" />
        </fieldset>
      )}
      <TextAreaField {...field('notes')} optional className="sm:col-span-2" />
    </div>
  );
}
