import { join } from 'node:path'
import { z } from 'zod'

/** One simulated session with everything that is known of it, which anybody may download. */

/** Origin of a dataset: what was published, what was imported, or what only the simulator knows. */
const SAMPLE_PARTS = ['published', 'tape', 'truth'] as const
export type SamplePart = (typeof SAMPLE_PARTS)[number]

const SampleFile = z
  .looseObject({
    file: z
      .string()
      .regex(/^[\w.-]+\.parquet$/)
      .describe('Its name below `/snapshots/sample/`.'),
    dataset: z.string().describe('Of the tape with `tape_` before its name.'),
    part: z.enum(SAMPLE_PARTS).meta({
      description:
        '`published`: what a build made; `tape`: what was imported; `truth`: what only the ' +
        'simulator knows.',
    }),
    day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'SampleFile', description: 'A Parquet file of the sample.' })

/** `index.json` of the sample. */
export const SampleIndex = z
  .looseObject({
    simulated: z.literal(true).describe('No such trades took place.'),
    session_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    symbol: z.string(),
    revision: z.string().describe('Revision of the published part.'),
    simulation: z.record(z.string(), z.unknown()).describe('Options of the simulator.'),
    files: z.array(SampleFile),
  })
  .meta({ id: 'SampleIndex', description: 'The simulated session, and every file of it.' })
export type SampleIndex = z.infer<typeof SampleIndex>

/** Folder of the sample within a data folder. */
export const sampleFolder = (dataFolder: string): string => join(dataFolder, 'sample')
