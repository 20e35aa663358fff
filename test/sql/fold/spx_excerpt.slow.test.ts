import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { openFoldDb } from '../../support/fold.ts'
import { hasSharedData } from '../../support/shared.ts'
import { loadSpxExcerpt } from '../../support/spxExcerpt.ts'

/** Packages that can be checked by hand: the net lands on a round step when the fold is right. */
const PACKAGES = table(`
  at            legs                                    structure              size  prints  net
  13:54:11.028  10-09 5440Px1 5615Px1                   vertical               17    34      3.80
  13:54:13.169  10-09 5770Cx1 5775Cx3 5780Cx2           broken_wing_butterfly  2     3       0.95
  13:54:30.906  06-20 4250Px3 4350Px3 5275Px1 5375Px1   double_vertical        1     4       2.55
  13:54:35.459  10-09 5750Cx1 5775Cx1                   vertical               10    14      8.25
  13:54:49.525  02-28 6125Cx1 03-21 6125Cx1             calendar               10    4       16.90
  13:55:03.833  12-20 5300Px1 5450Px2 5600Px1           butterfly              25    9       8.50
  13:55:05.503  10-16 5425Px1 5450Px1 5975Cx1 6000Cx1   iron_condor            1     4       1.15
  13:55:20.272  10-16 5525Px1 5550Px1 5875Cx1 5900Cx1   iron_condor            1     4       4.15
  13:55:34.293  10-10 5795Cx1 5805Cx2                   ratio_spread           2     4       3.85
  13:56:27.116  12-20 5300Px1 5450Px2 5600Px1           butterfly              25    18      8.50
`)

test.skipIf(!hasSharedData)(
  'real SPX prints without conditions fold into the known packages',
  async () => {
    const db = await openFoldDb({ date: '2024-10-07' })
    await loadSpxExcerpt(db)
    await db.fold()
    const orders = await db.rows(
      `with described as (
       select
         order_id, leg_number,
         case when expiry is distinct from lag(expiry) over legs
           then strftime(expiry, '%m-%d ') else '' end
         || strike::integer || option_type || 'x' || ratio as leg
       from fold.legs window legs as (partition by order_id order by leg_number))
     select
       strftime(any_value(orders.printed_at) - interval 4 hours, '%H:%M:%S.%g') as at,
       string_agg(leg, ' ' order by leg_number) as legs,
       any_value(structure) as structure, any_value(size) as size,
       any_value(print_count) as prints,
       round(any_value(net_premium_usd) / any_value(size) / 100, 4) as net
     from fold.parent_orders as orders join described using (order_id)
     where leg_count > 1 group by order_id`,
    )
    for (const wanted of PACKAGES) {
      expect(orders.filter(order => order.at === wanted.at && order.legs === wanted.legs)).toEqual([
        wanted,
      ])
    }
  },
)
