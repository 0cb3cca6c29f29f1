# include(Craig.cmake)
# craig_check(NAME queue_proof SOURCE src/queue_proof.c [PROPERTY no-overflow] [TIMEOUT 60s])
# adds a test that passes when Craig proves the property (needs enable_testing()).
find_program(CRAIG craig DOC "The software model checker Craig")

function(craig_check)
  cmake_parse_arguments(ARG "" "NAME;SOURCE;PROPERTY;TIMEOUT" "INCLUDES;DEFINES" ${ARGN})
  if(NOT CRAIG)
    message(FATAL_ERROR "craig is not on the path; set CRAIG to the program")
  endif()
  if(NOT ARG_PROPERTY)
    set(ARG_PROPERTY unreach-call)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60s)
  endif()
  set(options)
  foreach(folder IN LISTS ARG_INCLUDES)
    list(APPEND options -I ${folder})
  endforeach()
  foreach(macro IN LISTS ARG_DEFINES)
    list(APPEND options -D ${macro})
  endforeach()
  add_test(
    NAME ${ARG_NAME}
    COMMAND ${CRAIG} check --property ${ARG_PROPERTY} --timeout ${ARG_TIMEOUT} ${options} ${ARG_SOURCE}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
