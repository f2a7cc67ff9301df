graph [
  directed 1
  node [ id 1 label "a b" ]
  node [ id