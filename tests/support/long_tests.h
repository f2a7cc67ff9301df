// Tests that take seconds and are left to the nightly (`scripts/test nightly whole`), so that the gate stays short. What they
// look for, the gate's other tests look for on fewer or smaller inputs, or under a sanitizer (tests/selection.cmake).
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace hopwave::testing {

/// The gate (HOPWAVE_TEST_SHORT) passes them over.
inline void leave_out_long_tests() {
  if (!std::getenv("HOPWAVE_TEST_SHORT")) return;
  static constexpr const char* names[] = {
      "CampaignTest.EndsWhatHangs",
      "CliCloseness.AnEndedRunIsResumed",
      "CpuStrategies.NamedGraphsFromEverySource",
      "DrawSlices.GivesTheRowsThatOneProcessBuilds",
      "DrawnMemory.IsNoLessThanWhatIsHeldAndLittleMore",
      "*/Engine.DeeperThanAByte/*",
      "Each.DeeperThanTheDigits",
      "Each.MoreSourcesThanBitsAndAgain",
      "EngineSetsApart.IsolatedVertices",
      "EngineSides.NoClustersForLevelsOfManyArcs",
      "InFlight.OnePassAtATimeWhereTheBudgetRefusesMore",
      "Limits/Traversals.AreRight/*",
      "Literal.TheSimulatorFindsEveryRaceThatThreadSanitizerFinds",
      "Limits.ManySearchesEndWithinALevel",
      "Meet.CountsOfABand",
      "MovingAi.ScenariosHaveTheRightLengths",
      "Partitioned.ComposedShapes",
      "Partitioned.MoreDevicesThanWordsOfVertices",
      "Partitioned.PreparedRowsOfAllLengthsAndVerticesWithoutArcs",
      "Partitioned.RandomGraphsAndQueries",
      "Partitioned.TheTraceGoesOnBeyondItsRecords",
      "PartitionedSearch.AgreesWithTheOracleOn*",
      "PerSource.StopsAreSeenWithinALaunch",
      "Planted.AdversariesFindWhatUniformDrawingDoesNot",
      "RankMemory.OfComponentsIsWhatTheyTake",
      "RarePaths.DevicesThatLackSomething",
      "RarePaths.PreparedInOneClusterByItsLevels",
      "RarePaths.RowsOfOneHopOfALargeGraph",
      "ResultMemory.OfAPass",
      "*/RoundTripsOfAGraph.*",
      "SampledClosenessOnADevice.WithoutMemoryTheHostAddsUp",
      "Sssp.FrontiersThatThreadsShare",
      "SsspSteps.AsThePlainReadingCounts",
      "Storage.JobsTakeWhatIsEstimated",
      "StrongDevice.DeepGraphsWithArcsBothWays",
      "TimeLimit.KillsATestThatLetsNoSignalThrough",
  };
  std::string filter = ::testing::GTEST_FLAG(filter);
  // A filter has one part of what is left out, behind its only minus.
  filter += filter.find('-') == std::string::npos ? "-" : ":";
  for (const char* name : names) filter += std::string(name) + ":";
  ::testing::GTEST_FLAG(filter) = filter;
}

}  // namespace hopwave::testing
