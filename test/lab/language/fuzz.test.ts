import { testInserted, testLanguage } from '../../support/languageFuzz.ts'
import { runs } from '../../support/runs.ts'

testLanguage(500)
testInserted(runs(20_000))
