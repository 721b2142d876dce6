import type { Customer, CustomerRow } from '@callout/contract/customers';
import { Mail, MapPin, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { localDate, localDateTime } from '../../lib/local-date.ts';
import { AnchorButton } from '../../ui/link-button.tsx';
import { directionsLink, emailLink, phoneLink } from './contact-links.ts';

/** A list knows most of a customer; the rest follows when the customer itself is read. */
export type KnownCustomer = CustomerRow & Partial<Customer>;

/** What a person on the way to the customer does first, within the thumb's reach. */
export function ContactActions({ customer }: { customer: KnownCustomer }) {
  const actions = [
    { label: 'Call', icon: Phone, href: phoneLink(customer.phone) },
    { label: 'Email', icon: Mail, href: emailLink(customer.email) },
    { label: 'Directions', icon: MapPin, href: directionsLink(customer.address), newTab: true },
  ];
  return (
    <div data-toast-below="" className="mb-4 grid grid-cols-3 gap-2 sm:flex">
      {actions.map(
        ({ label, icon: Icon, href, newTab }) =>
          href && (
            <AnchorButton
              key={label}
              href={href}
              className="max-[22.5rem]:[&_svg]:hidden max-sm:px-2"
              {...(newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
            >
              <Icon aria-hidden="true" />
              {label}
            </AnchorButton>
          ),
      )}
    </div>
  );
}

/** The customer's details to read: numbers dial, addresses open in a map. */
export function CustomerView({ customer }: { customer: KnownCustomer }) {
  const { phone, email, address, notes, contact_name, contact_email, contact_phone } = customer;
  const isCompany = Boolean(customer.company_name);
  return (
    <div className="md:rounded-card md:bg-surface md:p-5 md:shadow-card">
      <dl className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {isCompany && <Detail label="Company name">{customer.company_name}</Detail>}
        <Detail label={isCompany ? 'Name (main contact)' : 'Name'}>{customer.name}</Detail>
        <Detail label="Phone">
          <ContactLink href={phoneLink(phone)} text={phone} />
        </Detail>
        <Detail label="Email">
          <ContactLink href={emailLink(email)} text={email} />
        </Detail>
        <Detail label="Street address" wide>
          <ContactLink href={directionsLink(address)} text={address} newTab />
        </Detail>
        {contact_name && <Detail label="Contact name">{contact_name}</Detail>}
        {contact_email && (
          <Detail label="Contact email">
            <ContactLink href={emailLink(contact_email)} text={contact_email} />
          </Detail>
        )}
        {contact_phone && (
          <Detail label="Contact phone">
            <ContactLink href={phoneLink(contact_phone)} text={contact_phone} />
          </Detail>
        )}
        {notes && (
          <Detail label="Notes" wide>
            {notes}
          </Detail>
        )}
      </dl>
      <p className="mt-4 border-t pt-4 text-sm text-ink-3">
        Added {localDate(customer.created_at)}
        {customer.last_interaction && ` · Last interaction ${localDateTime(customer.last_interaction)}`}
      </p>
    </div>
  );
}

function Detail({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'min-w-0 sm:col-span-2' : 'min-w-0'}>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="mt-0.5 text-lg [overflow-wrap:anywhere] whitespace-pre-line lg:text-base">{children}</dd>
    </div>
  );
}

function ContactLink({ href, text, newTab = false }: { href: string | null; text: string; newTab?: boolean }) {
  if (href === null) return text;
  return (
    <a
      href={href}
      className="inline-block py-2.5 -my-2.5 font-medium text-accent-ink tabular-nums hover:underline lg:py-1 lg:-my-1"
      {...(newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {text}
    </a>
  );
}
