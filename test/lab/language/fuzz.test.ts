import { testInserted, testLanguage, testTypos } from '../../support/languageFuzz.ts'
import { runs } from '../../support/runs.ts'

testLanguage(500)
testInserted(runs(20_000))
testTypos(runs(10_000))
