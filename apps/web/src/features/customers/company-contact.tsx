import type { Customer } from '@callout/contract/customers';
import { Mail, Phone } from 'lucide-react';
import { AnchorIconButton } from '../../ui/link-button.tsx';
import { emailLink, phoneLink } from './contact-links.ts';

/** The person to ask for at a company, with a way to reach them. */
export function CompanyContact({ customer }: { customer: Pick<Customer, 'contact_name' | 'contact_phone' | 'contact_email'> }) {
  const name = customer.contact_name ?? customer.contact_email ?? customer.contact_phone;
  const call = phoneLink(customer.contact_phone ?? '');
  const mail = emailLink(customer.contact_email ?? '');
  if (name === null) return null;
  return (
    <p className="mt-2 flex items-center gap-1 text-base text-ink-2">
      <span className="min-w-0 truncate">
        <span className="text-ink-3">Contact </span>
        {name}
      </span>
      {call && (
        <AnchorIconButton label={`Call ${name}`} href={call}>
          <Phone aria-hidden="true" />
        </AnchorIconButton>
      )}
      {mail && (
        <AnchorIconButton label={`Email ${name}`} href={mail}>
          <Mail aria-hidden="true" />
        </AnchorIconButton>
      )}
    </p>
  );
}
