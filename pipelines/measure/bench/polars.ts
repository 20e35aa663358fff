import { Refusal } from '../../../src/core/disk/refusal.ts'
import { fastest, type Taken } from './meter.ts'

/**
 * The naive fold in polars: prints of one instant and root are one order. Null when polars is not
 * installed, as after an install without the packages of development.
 */
export async function groupWithPolars(
  file: string,
  times: number,
  expectedGroupCount: number,
): Promise<Taken | null> {
  const pl = await importPolars()
  if (!pl) return null
  let groupCount = 0
  const group = async () => {
    const columns = ['printed_at', 'root', 'sequence', 'size', 'price']
    const prints = pl.readParquet(file, { columns })
    const orders = prints
      .withColumn(pl.col('size').mul(pl.col('price')).mul(pl.lit(100)).alias('premium_usd'))
      .groupBy('printed_at', 'root')
      .agg(
        pl.col('sequence').min().alias('first_sequence'),
        pl.col('sequence').count().alias('print_count'),
        pl.col('size').sum().alias('contracts'),
        pl.col('premium_usd').sum(),
      )
    groupCount = orders.height
  }
  const taken = await fastest(times, group)
  if (groupCount !== expectedGroupCount) {
    throw new Refusal(`polars made ${groupCount} groups of the prints, not ${expectedGroupCount}.`)
  }
  return taken
}

async function importPolars() {
  try {
    return (await import('nodejs-polars')).default
  } catch (error) {
    // the second one: the package is there, but not its part for this machine
    const missing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']
    if (missing.includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
