import { buildMailtoUrl, buildPhoneUrl } from '../lib/contact-urls.ts';

interface Issuer {
  readonly company_name: string | null;
  readonly address: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

interface Customer {
  readonly name: string;
  readonly company_name: string | null;
}

interface DocumentPartiesProps {
  issuer: Issuer;
  /** Heading above the customer, e.g. 'Prepared for'. */
  customerLabel: string;
  customer: Customer | null;
}

export function DocumentParties({ issuer, customerLabel, customer }: DocumentPartiesProps) {
  return (
    <div className="grid grid-cols-1 gap-6 sm:grid-cols-2">
      <IssuerSection title="From" issuer={issuer} />
      {customer && (
        <section aria-labelledby="prepared-for">
          <h2 id="prepared-for" className="text-sm font-medium text-ink-3">
            {customerLabel}
          </h2>
          <p className="mt-1 text-lg font-medium">{customer.company_name ?? customer.name}</p>
          {customer.company_name !== null && <p className="text-base text-ink-2">{customer.name}</p>}
        </section>
      )}
    </div>
  );
}

interface IssuerSectionProps {
  title: string;
  issuer: Issuer;
}

export function IssuerSection({ title, issuer: { company_name, address, phone, email } }: IssuerSectionProps) {
  return (
    <section aria-labelledby="from">
      <h2 id="from" className="text-sm font-medium text-ink-3">
        {title}
      </h2>
      {company_name !== null && <p className="mt-1 text-lg font-medium">{company_name}</p>}
      {address !== null && <p className="text-base whitespace-pre-line text-ink-2">{address}</p>}
      {phone !== null && <ContactLine text={phone} href={buildPhoneUrl(phone)} />}
      {email !== null && <ContactLine text={email} href={buildMailtoUrl(email)} />}
    </section>
  );
}

function ContactLine({ text, href }: { text: string; href: string | null }) {
  if (href === null) return <p className="text-base text-ink-2">{text}</p>;
  return (
    <p>
      <a
        href={href}
        className="inline-block py-2.5 text-base font-medium [overflow-wrap:anywhere] text-accent-ink tabular-nums hover:underline lg:py-1 print:py-0"
      >
        {text}
      </a>
    </p>
  );
}
