import { calls, tenantQuery } from '../../platform/http/calls.ts';
import { readBoard } from './board.sql.ts';

export const boardHandlers = {
  get: calls.board.get.handler(tenantQuery(async (scope, { input }) => ({ columns: await readBoard(scope, input) }))),
};
