import type { Area } from '../accounts/area.ts'
import { refusePathAs } from '../platform/http/request.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import { alertsPaths, alertWebhooks, eventPaths } from './openapi.ts'
import { accountSections } from './page/sections.ts'
import { ALERT_METHODS, alertsRouter, eventsRouter } from './routes.ts'
import { ALERT_TABLES } from './store/schema.ts'
import type { AlertAccounts } from './store/types.ts'

const PATH = '/api/alerts'

/** Alert settings of accounts, and their events. */
export const ALERTS_AREA: Area<RequestScheduler, AlertAccounts> = {
  name: 'alerts',
  product: 'orders',
  tag: { name: 'Alerts', description: 'What an account wants to be told of.' },
  paths: { ...alertsPaths, ...eventPaths },
  webhooks: alertWebhooks,
  methods: { [PATH]: ALERT_METHODS },
  tables: ALERT_TABLES,
  open: ({ accounts, nowMs, elapsedMs, webhooks, catalog, dataFolder }) => ({
    routes: {
      [PATH]: [
        throttleCalls(elapsedMs),
        alertsRouter({ accounts, nowMs, elapsedMs }),
        eventsRouter({ accounts, elapsedMs }),
        // same code for a missing item as in positions
        refusePathAs('not_found'),
      ],
    },
    account: { sections: accountSections({ accounts, webhooks, nowMs, catalog, dataFolder }) },
  }),
}
