import type { RegisteredCompany } from '@callout/contract/admin';
import { StatusPill } from '../../ui/status-pill.tsx';

export function CompanyStatusPill({ status }: Pick<RegisteredCompany, 'status'>) {
  return <StatusPill tone={status === 'Active' ? 'ok' : 'warn'} text={status} />;
}
