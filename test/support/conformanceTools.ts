// The tools that scenarios of the conformance runner call, behind the mount of the product's own.

import { z } from 'zod'
import { toolArea } from '../../src/mcp/mount.ts'
import { defineTool, type Tool, ToolError } from '../../src/mcp/tool.ts'

const nothing = { input: {}, output: { said: z.boolean() } }
const SIMPLE = defineTool({
  name: 'test_simple_text',
  title: 'Text',
  description: 'Answers a sentence.',
  ...nothing,
  respond: async () => ({
    summary: 'This is a simple text response for testing.',
    total: 1,
    next_cursor: null,
    said: true,
  }),
})
const FAILING = defineTool({
  name: 'test_error_handling',
  title: 'Error',
  description: 'Always fails.',
  ...nothing,
  respond: async () => {
    throw new ToolError('This tool intentionally returns an error for testing')
  },
})
/** As the scenario requires it, word by word. */
const SCHEMA: Tool = {
  ...defineTool({
    name: 'json_schema_2020_12_tool',
    title: 'Schema',
    description: 'Has a schema.',
    input: { name: z.string() },
    output: { said: z.boolean() },
    respond: async () => ({ summary: 'Taken.', total: 1, next_cursor: null, said: true }),
  }),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
}

export const CONFORMANCE_PATH = '/conformance/mcp'
export const CONFORMANCE_AREA = toolArea({
  name: 'conformance',
  path: CONFORMANCE_PATH,
  product: 'orders',
  tools: {
    name: 'conformance',
    title: 'Conformance',
    instructions: 'Call what a scenario names.',
    tools: [SIMPLE, FAILING, SCHEMA],
  },
})
