import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '@callout/domain/customers/customer';
import { type Control, type FieldErrors, type UseFormRegister, useWatch } from 'react-hook-form';
import { RadioGroup } from '../../ui/choice-fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { CUSTOMER_STATUS_LABELS } from './customer-filter.ts';
import { CUSTOMER_FIELD_LABELS, CUSTOMER_TYPE_LABELS, type CustomerField, type CustomerValues } from './customer-values.ts';

const TYPE_CHOICES = CUSTOMER_TYPES.map((value) => ({ value, label: CUSTOMER_TYPE_LABELS[value] }));
const STATUS_CHOICES = CUSTOMER_STATUSES.map((value) => ({ value, label: CUSTOMER_STATUS_LABELS[value] }));

interface CustomerFormFieldsProps<Saved> {
  control: Control<CustomerValues, unknown, Saved>;
  register: UseFormRegister<CustomerValues>;
  errors: FieldErrors<CustomerValues>;
  /** A new customer is active, so only an edit asks. */
  withStatus?: boolean;
}

export function CustomerFormFields<Saved>({ control, register, errors, withStatus = false }: CustomerFormFieldsProps<Saved>) {
  const type = useWatch({ control, name: 'type' });
  const field = (name: CustomerField) => ({ ...register(name), label: CUSTOMER_FIELD_LABELS[name], error: errors[name]?.message });
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:gap-5">
      <RadioGroup {...field('type')} choices={TYPE_CHOICES} className={withStatus ? undefined : 'sm:col-span-2'} />
      {withStatus && <SelectField {...field('status')} choices={STATUS_CHOICES} />}
      {type === 'company' && <TextField {...field('company_name')} autoComplete="off" className="sm:col-span-2" />}
      <TextField {...field('name')} autoComplete="off" className="sm:col-span-2" />
      <TextField {...field('phone')} type="tel" inputMode="tel" autoComplete="off" />
      <TextField {...field('email')} type="email" inputMode="email" autoComplete="off" autoCapitalize="none" spellCheck={false} />
      <TextField {...field('address')} autoComplete="off" className="sm:col-span-2" />
      {type === 'company' && (
        <fieldset className="m-0 grid min-w-0 items-start gap-4 border-0 border-t p-0 pt-4 sm:col-span-2 sm:grid-cols-3 lg:gap-5 lg:pt-5">
          <legend className="sr-only">Contact at the company</legend>
          <TextField {...field('contact_name')} optional autoComplete="off" />
          <TextField
            {...field('contact_email')}
            optional
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField {...field('contact_phone')} optional type="tel" inputMode="tel" autoComplete="off" />
        </fieldset>
      )}
      <TextAreaField {...field('notes')} optional className="sm:col-span-2" />
    </div>
  );
}
