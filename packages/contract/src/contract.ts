import type { ContractRouterClient, InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { auth } from './auth.ts';
import { company } from './company.ts';
import { customers } from './customers.ts';

/** Every call there is, by feature. */
export const contract = { auth, company, customers };

export type Contract = typeof contract;
export type ContractClient = ContractRouterClient<Contract>;
export type ContractInputs = InferContractRouterInputs<Contract>;
export type ContractOutputs = InferContractRouterOutputs<Contract>;
