graph [ Directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 Weight 5 ] edge [ source 0 target 1 Weight 6 ] ]
