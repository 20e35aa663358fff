import { LAB_SERVER } from './labServer.ts'
import { toolArea } from './mount.ts'
import { ORDERS_SERVER } from './ordersServer.ts'

/** Tools for assistants over ledgers, levels and positions. */
export const ORDERS_MCP_AREA = toolArea({
  name: 'mcp',
  path: '/orders/mcp',
  product: 'orders',
  tools: ORDERS_SERVER,
})

/** Tools for assistants over ideas and their tests. */
export const LAB_MCP_AREA = toolArea({
  name: 'lab-mcp',
  path: '/mcp',
  product: 'lab',
  tools: LAB_SERVER,
})
