import { withWorkFolder } from '../../src/core/disk/work.ts'
import { withSharedStore } from '../command/sharedStore.ts'
import { openView, type StoreView } from './storeView.ts'
import { type PlanOptions, planTasks, type RangePlan } from './tasks.ts'

/** Plans the tasks of a range, from the store where there is a view of it. */
export async function planRange(view: StoreView | null, options: PlanOptions): Promise<RangePlan> {
  if (view === null) return planTasks(options)
  await view.pullRange(options.from, options.to, options.version)
  return planTasks({ ...options, dataFolder: view.folder })
}

/**
 * Runs `use` with a view of the store that machines share; with null where they share none.
 */
export function withPlanView<T>(
  dataFolder: string,
  use: (view: StoreView | null) => Promise<T>,
): Promise<T> {
  return withSharedStore(async store => {
    if (store === null) return use(null)
    return withWorkFolder(dataFolder, 'plan', folder => use(openView(store, dataFolder, folder)))
  })
}
